/** A workspace as the fragment of an address. A fragment comes from anybody, so it is limited and checked. */
import type { Transcript, Workspace } from "./workspace.ts";

const PREFIX = "#1.";
/** The most that a fragment may contain, in bytes. */
export const LIMIT = 1024 * 1024;
const MAX_ANSWERS = 500;

export async function fragmentOf({ path, suite, config, transcripts }: Workspace): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(checked({ path, suite, config, transcripts })));
  if (bytes.length > LIMIT) throw new Error("The suite and its answers are too large for a link.");
  const packed = await collect(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  return PREFIX + toBase64Url(packed);
}

/** The workspace in a fragment; `null` if there is none. */
export async function workspaceOf(fragment: string): Promise<Workspace | null> {
  if (/^#\d+\./.test(fragment) && !fragment.startsWith(PREFIX)) throw new Error("It is of another version of this page.");
  if (!fragment.startsWith(PREFIX)) return null;
  if (fragment.length > LIMIT) throw new Error("The link is too long.");
  const packed = new Blob([fromBase64Url(fragment.slice(PREFIX.length))]);
  const bytes = await collect(packed.stream().pipeThrough(new DecompressionStream("deflate-raw")));
  return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
}

async function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > LIMIT) {
      await reader.cancel();
      throw new Error("The link contains too much.");
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function checked(value: unknown): Workspace {
  const { path, suite, config, transcripts } = record(value);
  if (!isPath(path) || typeof suite !== "string" || typeof config !== "string") throw new Error("The link is not of this page.");
  const answers = Object.entries(record(transcripts));
  if (answers.length > MAX_ANSWERS) throw new Error(`A link has at most ${MAX_ANSWERS} answers.`);
  if (!answers.every(([key, answer]) => isPath(key) && isTranscript(answer))) {
    throw new Error("The answers in the link cannot be read.");
  }
  return { name: "From the link", path, suite, config, transcripts: Object.fromEntries(answers) as Record<string, Transcript> };
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("The link is not of this page.");
  return value as Record<string, unknown>;
}

/** Whether it is a path below the workspace, whose files are in memory. */
function isPath(path: unknown): path is string {
  const isPart = (part: string) => part !== "" && part !== "." && part !== ".." && !/[\p{Cc}\\]/u.test(part);
  return typeof path === "string" && path.length < 600 && path.endsWith(".json") && path.split("/").every(isPart);
}

function isTranscript(value: unknown): value is Transcript {
  const { response, prompt, setup_prompts, telemetry } = record(value);
  const texts = (list: unknown) => list === undefined || (Array.isArray(list) && list.every((text) => typeof text === "string"));
  const prompts = (prompt === undefined || typeof prompt === "string") && texts(setup_prompts);
  return typeof response === "string" && prompts && (telemetry === undefined || Array.isArray(telemetry));
}
