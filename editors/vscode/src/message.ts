import type { ErrorData } from './protocol';

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

/** What a person can do about an error, and where, if the server names it. */
export function remedyOf(error: unknown): ErrorData | undefined {
  const { data } = error as { data?: Partial<ErrorData> };
  return data?.remedy === undefined ? undefined : { location: null, ...data, remedy: data.remedy };
}

/** `RequestCancelled` of the protocol. */
const CANCELLED = -32800;
