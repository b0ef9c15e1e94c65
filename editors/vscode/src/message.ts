/** Escapes `](`, because VS Code turns `[…](…)` in a message into a link or a command. */
export function withoutLinks(message: string): string {
  return message.replaceAll('](', ']\\(');
}

/** The message of an error, or `undefined` if a person cancelled the request. */
export function messageOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (code === CANCELLED || error instanceof Error && error.name === 'Canceled') {
    return undefined;
  }
  return withoutLinks(error instanceof Error ? error.message : String(error));
}

/** `RequestCancelled` of the protocol. */
const CANCELLED = -32800;
