declare module "examples" {
  const examples: import("./workspace.ts").Workspace[];
  export default examples;
}
