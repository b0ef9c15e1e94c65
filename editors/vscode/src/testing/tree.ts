/** The tree of suites and cases: filled when it is opened, updated by the server. */

import type { TestController, TestItem, TestItemCollection, TestTag, Range as EditorRange, Uri } from 'vscode';

import { AfterPause } from '../afterPause';
import type { Range, TestCase, TestsParams, TestsResult, TestSuite } from '../protocol';
import { arranged, type Row } from './folders';
import type { Names } from './selection';

type Controller = Pick<TestController, 'items' | 'createTestItem'>;

/** The part of the editor that the tree needs; tests replace it. */
export interface Editor {
  controller: Controller;
  uri: (uri: string) => Uri;
  range: (range: Range) => EditorRange | undefined;
  tag: (id: string) => TestTag;
  /** The name of the workspace folder of a file, if there are several folders. */
  root: (uri: Uri) => string | undefined;
}

/** A suite in the tree. */
interface Suite {
  item: TestItem;
  uri: string;
  label: string;
  root: string | undefined;
  /** The id of the row above it; `undefined` before it has a row. */
  place: string | undefined;
  /** The rows of its cases, by their ids. */
  cases: Map<string, TestItem>;
}

export class TestTree {
  /** The names of each item for the server. */
  private readonly known = new WeakMap<TestItem, Names>();

  /** The suites by the ids of their rows. */
  private readonly suites = new Map<string, Suite>();

  /** The rows of folders by their ids. */
  private readonly folders = new Map<string, TestItem>();

  /** What is shown after the id of a case. */
  private readonly marks = new WeakMap<TestItem, string>();

  /** How many rows each case has had. */
  private readonly rows = new Map<string, number>();

  private readonly late = new AfterPause((uris) => void this.changed(uris).catch(() => undefined));

  constructor(
    private readonly editor: Editor,
    private readonly ask: (params: TestsParams) => Promise<TestsResult>,
    /** Receives the suites with rows that show no result yet: their cases are new, or their rows have moved. */
    private readonly arrived: (uris: string[]) => void,
  ) {}

  /** Fills the tree, or a suite of it. */
  async resolve(item?: TestItem): Promise<void> {
    if (item === undefined) {
      const suites: TestSuite[] = [];
      for (const suite of (await this.ask({})).suites) {
        suites.push(...(this.isFile(suite) ? [suite] : await this.listed(suite.uri)));
      }
      const ids = new Set(suites.map(({ uri }) => this.id(uri)));
      [...this.suites.keys()].filter((id) => !ids.has(id)).forEach((id) => this.suites.delete(id));
      suites.forEach((suite) => { this.suite(suite); });
      this.arrange();
    } else {
      const suite = this.suites.get(item.id);
      if (suite !== undefined) {
        await this.refresh(suite);
      }
    }
  }

  /** Updates suites after a pause, because VS Code draws the marks of all cases again for each row that changes. */
  changedByKeys(uris: readonly string[]): void {
    this.late.add(uris);
  }

  /** A person types. */
  wait(): void {
    this.late.wait();
  }

  dispose(): void {
    this.late.dispose();
  }

  /** Updates suites whose cases changed, and adds or removes suites. */
  async changed(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const suite = this.suites.get(this.id(uri));
      if (suite !== undefined) {
        await this.refresh(suite);
      } else {
        const suites = await this.listed(uri);
        suites.forEach((each) => { this.suite(each); });
        if (suites.length > 0) {
          this.arrange();
        }
      }
    }
  }

  /** The rows of the cases of a suite, by their ids; fills the suite first if necessary. */
  async cases(uri: string): Promise<ReadonlyMap<string, TestItem>> {
    if (this.late.take(uri) || !this.suites.has(this.id(uri))) {
      await this.changed([uri]);
    }
    const suite = this.suites.get(this.id(uri));
    if (suite?.cases.size === 0) {
      await this.refresh(suite);
    }
    return suite?.cases ?? new Map<string, TestItem>();
  }

  /** Finds the item of a case; fills its suite first if necessary. */
  async find(uri: string, id: string): Promise<TestItem | undefined> {
    return (await this.cases(uri)).get(id);
  }

  /** The suites and cases that a selection stands for: a folder stands for the suites below it. */
  meant(items: readonly TestItem[]): TestItem[] {
    return items.flatMap((item) => (this.known.has(item) ? [item] : this.meant([...item.children].map(([, child]) => child))));
  }

  /** All suites. */
  all(): TestItem[] {
    return [...this.suites.values()].map(({ item }) => item);
  }

  /** The addresses of all suites. */
  suiteUris(): string[] {
    return [...this.suites.values()].map(({ uri }) => uri);
  }

  /** The suites whose cases are in the tree. */
  filled(): string[] {
    return [...this.suites.values()].filter(({ cases }) => cases.size > 0).map(({ uri }) => uri);
  }

  /** The names of an item for the server. */
  names(item: TestItem): Names {
    const known = this.known.get(item);
    if (known === undefined) {
      throw new Error(`the test item ${item.id} is not in this tree`);
    }
    return known.case === undefined ? { uri: known.uri } : { uri: known.uri, case: known.case };
  }

  /** Shows a mark after the id of a case; an empty mark removes it. Screen readers read a description instead of the label. */
  mark(item: TestItem, mark: string): void {
    const before = this.marks.get(item) ?? '';
    this.marks.set(item, mark);
    const id = before === '' ? item.label : item.label.slice(0, -before.length - 3);
    item.label = marked(id, mark);
  }

  /** Replaces the row of a case by one without a result, because VS Code cannot remove a result. */
  forget(item: TestItem): void {
    const names = this.known.get(item);
    const suite = names === undefined ? undefined : this.suites.get(this.id(names.uri));
    const [key] = [...suite?.cases ?? []].find(([, each]) => each === item) ?? [];
    if (suite === undefined || key === undefined) {
      return;
    }
    suite.cases.set(key, this.copied(suite, key, item));
    this.keep(suite.item.children, [...suite.cases.values()]);
  }

  /** Makes the same row without a result. */
  private copied(suite: Suite, key: string, item: TestItem): TestItem {
    this.mark(item, '');
    const next = this.newRow(suite, key);
    const { label, sortText, range, tags } = item;
    Object.assign(next, { label, sortText, range, tags });
    this.known.set(next, this.known.get(item) ?? { uri: suite.uri });
    return next;
  }

  /** The suite, if it has a row: a file, or a text that is not saved yet and has a case. */
  private async listed(uri: string): Promise<TestSuite[]> {
    const { suites } = await this.ask({ uri });
    const isDraft = ({ uri: each, cases = [] }: TestSuite): boolean => this.editor.uri(each).scheme === 'untitled' && cases.length > 0;
    return suites.filter((suite) => this.isFile(suite) || isDraft(suite));
  }

  private isFile({ uri }: TestSuite): boolean {
    return this.editor.uri(uri).scheme === 'file';
  }

  private async refresh(suite: Suite): Promise<void> {
    const [found] = await this.listed(suite.uri);
    if (found === undefined) {
      this.suites.delete(suite.item.id);
      this.arrange();
      return;
    }
    this.suite(found);
    const before = new Set(suite.cases.values());
    const cases = new Map<string, TestItem>();
    for (const each of found.cases ?? []) {
      this.case(suite, each, cases);
    }
    suite.cases = cases;
    const items = [...cases.values()];
    this.keep(suite.item.children, items);
    if (items.some((item) => !before.has(item))) {
      this.arrived([suite.uri]);
    }
  }

  /** Replaces the items of a collection, unless they are the same. */
  private keep(collection: TestItemCollection, items: TestItem[]): void {
    const present = [...collection].map(([, item]) => item);
    const wanted = new Set(items);
    const same = present.length === items.length && present.every((item) => wanted.has(item));
    if (!same) {
      collection.replace(items);
    }
  }

  private suite({ uri, label }: TestSuite): void {
    const [id, file] = [this.id(uri), this.editor.uri(uri)];
    const root = this.editor.root(file);
    const known = this.suites.get(id);
    if (known !== undefined) {
      Object.assign(known, { uri, label, root });
      return;
    }
    this.suites.set(id, { item: this.suiteRow(uri, label), uri, label, root, place: undefined, cases: new Map() });
  }

  private suiteRow(uri: string, label: string): TestItem {
    const item = this.editor.controller.createTestItem(this.id(uri), label, this.editor.uri(uri));
    item.canResolveChildren = true;
    this.known.set(item, { uri });
    return item;
  }

  /** Shows the suites below their folders. A suite whose folder gets or loses a row gets a new row itself. */
  private arrange(): void {
    const suites = [...this.suites.values()].map((suite) => ({ suite, label: suite.label, root: suite.root }));
    const moved: string[] = [];
    this.keep(this.editor.controller.items, arranged(suites).map((row) => this.row(row, '', moved)));
    if (moved.length > 0) {
      this.arrived(moved);
    }
  }

  private row(row: Row<Suite>, place: string, moved: string[]): TestItem {
    if ('suite' in row) {
      const { suite, label } = row;
      if (suite.place !== undefined && suite.place !== place) {
        // VS Code cannot move a row.
        suite.item = this.suiteRow(suite.uri, label);
        suite.cases = new Map([...suite.cases].map(([key, item]) => [key, this.copied(suite, key, item)]));
        suite.item.children.replace([...suite.cases.values()]);
        moved.push(suite.uri);
      }
      suite.place = place;
      suite.item.label = label;
      return suite.item;
    }
    // A folder whose outer row changes also needs a new row, because VS Code cannot move one.
    const id = `${place}folder:${row.id}`;
    const item = this.folders.get(id) ?? this.editor.controller.createTestItem(id, row.label);
    this.folders.set(id, item);
    item.label = row.label;
    this.keep(item.children, row.rows.map((each) => this.row(each, id, moved)));
    return item;
  }

  /** Adds the row of a case. Items need unique ids, but cases with a mistake may share one. They run together. */
  private case(suite: Suite, { id, index, category, range }: TestCase, cases: Map<string, TestItem>): void {
    let key = id;
    for (let times = 2; cases.has(key); times += 1) {
      key = `${id}#${times}`;
    }
    const item = suite.cases.get(key) ?? this.newRow(suite, key);
    item.label = marked(id === '' ? `case ${index + 1}` : id, this.marks.get(item) ?? '');
    item.sortText = String(index).padStart(8, '0');
    item.range = this.editor.range(range);
    item.tags = category === '' ? [] : [this.editor.tag(category.replaceAll(/\s+/g, '-'))];
    this.known.set(item, { uri: suite.uri, case: id });
    cases.set(key, item);
  }

  /** Makes a row for a case. It has an id that no row had before, because VS Code gives a row the results of its id. */
  private newRow(suite: Suite, key: string): TestItem {
    const id = this.id(suite.uri, key);
    const times = (this.rows.get(id) ?? 0) + 1;
    this.rows.set(id, times);
    return this.editor.controller.createTestItem(times === 1 ? id : `${id}\n${times}`, key, this.editor.uri(suite.uri));
  }

  /** Ids use the editor's form of URIs, because editor and server may write one URI differently. */
  private id(uri: string, id?: string): string {
    const suite = this.editor.uri(uri).toString();
    return id === undefined ? suite : `${suite}#${id}`;
  }
}

function marked(id: string, mark: string): string {
  return mark === '' ? id : `${id} · ${mark}`;
}
