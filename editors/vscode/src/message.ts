/** Escapes `](`, because VS Code turns `[…](…)` in a message into a link or a command. */
export function withoutLinks(message: string): string {
  return message.replaceAll('](', ']\\(');
}
