/** The tree of suites and cases: filled when it is opened, updated by the server. */

import type { TestController, TestItem, TestItemCollection, TestTag, Range as EditorRange, Uri } from 'vscode';

import type { Range, TestCase, TestsParams, TestsResult, TestSuite } from '../protocol';
import { arranged, type Row } from './folders';
import type { Names } from './selection';

type Controller = Pick<TestController, 'items' | 'createTestItem' | 'invalidateTestResults'>;

/** The part of the editor that the tree needs; tests replace it. */
export interface Editor {
  controller: Controller;
  uri: (uri: string) => Uri;
  range: (range: Range) => EditorRange;
  tag: (id: string) => TestTag;
  /** The name of the workspace folder of a file, if there are several folders. */
  root: (uri: Uri) => string | undefined;
}

export class TestTree {
  /** The names of each item for the server, and the hash of the text of its results. */
  private readonly known = new WeakMap<TestItem, Names & { hash: string; start?: EditorRange }>();

  /** The suites by their ids, and their paths. */
  private readonly suites = new Map<string, { item: TestItem; label: string; root: string | undefined }>();

  /** The rows of folders by their ids. */
  private readonly folders = new Map<string, TestItem>();

  /** What is shown before the description of an item. */
  private readonly marks = new WeakMap<TestItem, string>();

  constructor(
    private readonly editor: Editor,
    private readonly ask: (params: TestsParams) => Promise<TestsResult>,
  ) {}

  /** Fills the tree, or a suite of it. */
  async resolve(item?: TestItem): Promise<void> {
    if (item === undefined) {
      const { suites } = await this.ask({});
      const ids = new Set(suites.map(({ uri }) => this.id(uri)));
      [...this.suites.keys()].filter((id) => !ids.has(id)).forEach((id) => this.suites.delete(id));
      suites.forEach((suite) => { this.suite(suite); });
      this.arrange();
    } else if (this.known.has(item) && this.names(item).case === undefined) {
      await this.refresh(item);
    }
  }

  /** Updates suites whose cases changed, and adds or removes suites. */
  async changed(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const item = this.suites.get(this.id(uri))?.item;
      if (item !== undefined) {
        await this.refresh(item);
      } else {
        const { suites } = await this.ask({ uri });
        suites.forEach((suite) => { this.suite(suite); });
        this.arrange();
      }
    }
  }

  /** Finds the item of a case; fills its suite first if necessary. */
  async find(uri: string, id: string): Promise<TestItem | undefined> {
    if (!this.suites.has(this.id(uri))) {
      await this.changed([uri]);
    }
    const suite = this.suites.get(this.id(uri))?.item;
    if (suite?.children.size === 0) {
      await this.refresh(suite);
    }
    return suite?.children.get(this.id(uri, id));
  }

  /** The suites and cases that a selection stands for: a folder stands for the suites below it. */
  meant(items: readonly TestItem[]): TestItem[] {
    return items.flatMap((item) => (this.known.has(item) ? [item] : this.meant([...item.children].map(([, child]) => child))));
  }

  /** All suites. */
  all(): TestItem[] {
    return [...this.suites.values()].map(({ item }) => item);
  }

  /** The names of an item for the server. */
  names(item: TestItem): Names {
    const known = this.known.get(item);
    if (known === undefined) {
      throw new Error(`the test item ${item.id} is not in this tree`);
    }
    return known.case === undefined ? { uri: known.uri } : { uri: known.uri, case: known.case };
  }

  /** Shows a mark before the description of a case; an empty mark removes it. */
  mark(item: TestItem, mark: string): void {
    const before = this.marks.get(item) ?? '';
    this.marks.set(item, mark);
    const description = (item.description ?? '').slice(before === '' ? 0 : before.length + 3);
    item.description = described(mark, description);
  }

  /** Whether the case's text still has this hash. */
  isCurrent(item: TestItem, hash: string): boolean {
    return this.known.get(item)?.hash === hash;
  }

  /** The start of a case in its suite. */
  start(item: TestItem): EditorRange | undefined {
    return this.known.get(item)?.start;
  }

  private async refresh(item: TestItem): Promise<void> {
    const { uri } = this.names(item);
    const suite = (await this.ask({ uri })).suites[0];
    if (suite === undefined) {
      this.suites.delete(item.id);
      this.arrange();
      return;
    }
    this.suite(suite);
    const seen = new Map<string, number>();
    this.keep(item.children, (suite.cases ?? []).map((each) => this.case(uri, each, item, seen)));
  }

  /** Replaces the items of a collection, unless they are the same. */
  private keep(collection: TestItemCollection, items: TestItem[]): void {
    const present = [...collection].map(([, item]) => item);
    const same = present.length === items.length && present.every((item) => items.includes(item));
    if (!same) {
      collection.replace(items);
    }
  }

  private suite({ uri, label, hash }: TestSuite): void {
    const [id, file] = [this.id(uri), this.editor.uri(uri)];
    const item = this.suites.get(id)?.item ?? this.editor.controller.createTestItem(id, label, file);
    item.canResolveChildren = true;
    this.known.set(item, { uri, hash });
    this.suites.set(id, { item, label, root: this.editor.root(file) });
  }

  /** Shows the suites below their folders. */
  private arrange(): void {
    const suites = [...this.suites.values()].map(({ item, ...place }) => ({ suite: item, ...place }));
    this.keep(this.editor.controller.items, arranged(suites).map((row) => this.row(row)));
  }

  private row(row: Row<TestItem>): TestItem {
    if ('suite' in row) {
      row.suite.label = row.label;
      return row.suite;
    }
    const id = `folder:${row.id}`;
    const item = this.folders.get(id) ?? this.editor.controller.createTestItem(id, row.label);
    this.folders.set(id, item);
    item.label = row.label;
    this.keep(item.children, row.rows.map((each) => this.row(each)));
    return item;
  }

  /** Items need unique ids, but cases with a mistake may share one. They run together. */
  private case(uri: string, { id, index, category, prompt, range, caseRange, hash }: TestCase, suite: TestItem, seen: Map<string, number>): TestItem {
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    const itemId = this.id(uri, times === 1 ? id : `${id}#${times}`);
    const { controller } = this.editor;
    const item = suite.children.get(itemId) ?? controller.createTestItem(itemId, id, this.editor.uri(uri));
    item.label = id === '' ? `case ${index + 1}` : id;
    item.description = described(this.marks.get(item) ?? '', category, prompt);
    item.sortText = String(index).padStart(8, '0');
    item.range = this.editor.range(range);
    item.tags = category === '' ? [] : [this.editor.tag(category.replaceAll(/\s+/g, '-'))];
    const before = this.known.get(item)?.hash;
    const start = this.editor.range({ start: caseRange.start, end: caseRange.start });
    this.known.set(item, { uri, case: id, hash, start });
    if (before !== undefined && before !== hash) {
      controller.invalidateTestResults(item);
    }
    return item;
  }

  /** Ids use the editor's form of URIs, because editor and server may write one URI differently. */
  private id(uri: string, id?: string): string {
    const suite = this.editor.uri(uri).toString();
    return id === undefined ? suite : `${suite}#${id}`;
  }
}

function described(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
