/** The styles of CodeMirror in a constructed sheet: the content security policy allows no style elements. */
import { StyleModule as Original } from "../node_modules/style-mod/src/style-mod.js";

const sheet = new CSSStyleSheet();
const mounted = new Set<Original>();
document.adoptedStyleSheets.push(sheet);

export class StyleModule extends Original {
  static override mount(_root: unknown, modules: Original | readonly Original[]): void {
    const before = mounted.size;
    [modules].flat().forEach((module) => mounted.add(module as Original));
    if (mounted.size > before) sheet.replaceSync([...mounted].map((module) => module.getRules()).join("\n"));
  }
}
