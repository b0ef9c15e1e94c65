/** A message as it may be shown: VS Code makes links, and commands, of `[…](…)` in it, so the text shows a backslash there. */
export function withoutLinks(message: string): string {
  return message.replaceAll('](', ']\\(');
}
