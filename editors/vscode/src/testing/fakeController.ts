/** A test controller for tests without an editor. */

import type { TestController, TestItem, TestItemCollection, Uri } from 'vscode';

export interface Fake {
  controller: Pick<TestController, 'items' | 'createTestItem'>;
}

export function fakeController(): Fake {
  return {
    controller: {
      items: new Collection() as unknown as TestItemCollection,
      createTestItem: (id: string, label: string, uri?: Uri) =>
        ({ id, label, uri, children: new Collection() }) as unknown as TestItem,
    },
  };
}

class Collection {
  private items = new Map<string, TestItem>();

  get size(): number {
    return this.items.size;
  }

  get(id: string): TestItem | undefined {
    return this.items.get(id);
  }

  add(item: TestItem): void {
    this.items.set(item.id, item);
  }

  delete(id: string): void {
    this.items.delete(id);
  }

  replace(items: readonly TestItem[]): void {
    this.items = new Map(items.map((item) => [item.id, item]));
  }

  [Symbol.iterator](): IterableIterator<[string, TestItem]> {
    return this.items.entries();
  }
}
