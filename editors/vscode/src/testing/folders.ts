/** The rows of the Test Explorer above the cases: suites that share a folder are below a row of that folder. */

/** A suite and the path by which it is known. */
export interface Placed<S> {
  suite: S;
  /** The name of its workspace folder, if there are several. */
  root?: string | undefined;
  /** Its path in that folder. */
  label: string;
}

export type Row<S> = { suite: S; label: string } | { id: string; label: string; rows: Row<S>[] };

interface Branch<S> { branches: Map<string, Branch<S>>; suites: { name: string; suite: S }[] }

/** Arranges suites by their folders. A folder with a single row is shown in the label of that row. */
export function arranged<S>(suites: readonly Placed<S>[]): Row<S>[] {
  const top: Branch<S> = { branches: new Map(), suites: [] };
  for (const { suite, root, label } of suites) {
    const path = label.split(/[\\/]/);
    const name = path.pop() ?? label;
    const parts = [...(root === undefined ? [] : [root]), ...path];
    let branch = top;
    for (const part of parts) {
      const next = branch.branches.get(part) ?? { branches: new Map(), suites: [] };
      branch.branches.set(part, next);
      branch = next;
    }
    branch.suites.push({ name, suite });
  }
  return rows(top, '');
}

function rows<S>(branch: Branch<S>, path: string): Row<S>[] {
  const folders = [...branch.branches].map(([name, inner]): Row<S> => {
    const id = `${path}/${name}`;
    const below = rows(inner, id);
    const only = below.length === 1 ? below[0] : undefined;
    return only === undefined ? { id, label: name, rows: below } : { ...only, label: `${name}/${only.label}` };
  });
  return [...folders, ...branch.suites.map(({ name, suite }): Row<S> => ({ suite, label: name }))];
}
