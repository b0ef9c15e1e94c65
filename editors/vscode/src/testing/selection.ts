/** From what was chosen in the Test Explorer to what the server is asked to run. */

import type { RunParams } from '../protocol';

/** As much of a test item as this needs. */
export interface Node {
  id: string;
  parent: Node | undefined;
  children: Iterable<readonly [string, Node]>;
}

/** What names a suite, or a case of it, to the server. */
export interface Names {
  uri: string;
  case?: string;
}

/**
 * The suites and cases to run. A suite that is chosen whole is asked for whole, so that cases that came since run as
 * well; where some of its cases are left out, the others are named.
 */
export function selection<N extends Node>(
  chosen: readonly N[],
  leftOut: readonly N[],
  names: (node: Node) => Names,
): RunParams['suites'] {
  const out = new Set<Node>(leftOut);
  const suites = new Map<string, string[] | undefined>();
  const add = (node: Node): void => {
    const { uri, case: id } = names(node);
    const others = suites.get(uri);
    if (id !== undefined && !(suites.has(uri) && others === undefined)) {
      suites.set(uri, [...(others ?? []), id]);
    }
  };
  for (const node of chosen.filter((each) => !out.has(each))) {
    const children = [...node.children].map(([, child]) => child);
    if (names(node).case !== undefined) {
      add(node);
    } else if (children.some((child) => out.has(child))) {
      children.filter((child) => !out.has(child)).forEach(add);
    } else {
      suites.set(names(node).uri, undefined);
    }
  }
  return [...suites].map(([uri, cases]) => (cases === undefined ? { uri } : { uri, cases: [...new Set(cases)] }));
}
