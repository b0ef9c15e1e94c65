/**
 * Returns the index of the first line after a line, or of the last one before it; the first or last of all if there is none.
 * `undefined` without lines. The lines are in ascending order.
 */
export function neighbour(lines: readonly number[], from: number, direction: 1 | -1): number | undefined {
  if (lines.length === 0) {
    return undefined;
  }
  const found = direction === 1 ? lines.findIndex((line) => line > from) : lines.findLastIndex((line) => line < from);
  return found >= 0 ? found : direction === 1 ? 0 : lines.length - 1;
}
