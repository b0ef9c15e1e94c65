/** Converts a selection in the Test Explorer to the parameters of a run. */

import type { RunParams } from '../protocol';

/** The part of a test item that `selection` needs. */
export interface Node {
  id: string;
  parent: Node | undefined;
  children: Iterable<readonly [string, Node]>;
}

/** Names a suite, or a case of it, for the server. */
export interface Names {
  uri: string;
  case?: string;
}

/**
 * Returns the suites and cases to run. A whole suite is requested without cases, so that new cases run too. If some of its
 * cases are excluded, the other cases are named.
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
