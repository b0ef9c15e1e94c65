/** Makes an animated PNG of screenshots. Each frame has only the rectangle that differs from the frame before. */

import * as fs from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** An image: its pixels row by row, with `channels` bytes each. */
interface Image { width: number; height: number; channels: number; pixels: Buffer }

interface Rectangle { x: number; y: number; width: number; height: number }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export class Animation {
  private readonly frames: { png: Buffer; milliseconds: number }[] = [];

  /** Adds a screenshot, a PNG, that is shown for this time. */
  add(png: Buffer, milliseconds: number): void {
    this.frames.push({ png, milliseconds });
  }

  /** Writes the animation, which repeats forever. */
  write(path: string): void {
    const images = this.frames.map(({ png }) => decoded(png));
    const [first] = images;
    if (first === undefined) {
      throw new Error('an animation needs a frame');
    }
    const chunks = [chunk('IHDR', header(first)), chunk('acTL', numbers([images.length, 0]))];
    let sequence = 0;
    images.forEach((image, index) => {
      const before = images[index - 1];
      const { x, y, width, height } = before === undefined ? { x: 0, y: 0, width: image.width, height: image.height } : difference(before, image);
      // A delay in milliseconds; the frame replaces that part of the frame before.
      const control = Buffer.alloc(26);
      [sequence++, width, height, x, y].forEach((value, place) => control.writeUInt32BE(value, 4 * place));
      control.writeUInt16BE(this.frames[index]?.milliseconds ?? 0, 20);
      control.writeUInt16BE(1000, 22);
      chunks.push(chunk('fcTL', control));
      const data = encoded(image, { x, y, width, height });
      chunks.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers([sequence++]), data])));
    });
    fs.writeFileSync(path, Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]));
  }
}

function numbers(values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, place) => bytes.writeUInt32BE(value, 4 * place));
  return bytes;
}

function header({ width, height, channels }: Image): Buffer {
  return Buffer.concat([numbers([width, height]), Buffer.from([8, channels === 4 ? 6 : 2, 0, 0, 0])]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers([data.length]), body, numbers([crc32(body)])]);
}

/** Reads a PNG as browsers write it: 8 bits, RGB or RGBA, not interlaced. */
function decoded(png: Buffer): Image {
  const [width, height, depth, color] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  if (depth !== 8 || (color !== 2 && color !== 6) || png[28] !== 0) {
    throw new Error(`a screenshot with ${String(depth)} bits and color type ${String(color)}`);
  }
  const channels = color === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)] ?? 0;
    for (let at = 0; at < stride; at += 1) {
      const left = at >= channels ? pixels[row * stride + at - channels] ?? 0 : 0;
      const up = row > 0 ? pixels[(row - 1) * stride + at] ?? 0 : 0;
      const corner = row > 0 && at >= channels ? pixels[(row - 1) * stride + at - channels] ?? 0 : 0;
      pixels[row * stride + at] = (raw[row * (stride + 1) + 1 + at] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return { width, height, channels, pixels };
}

/** What a filter of PNG adds to a byte. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    case 4: {
      const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      return a <= b && a <= c ? left : b <= c ? up : corner;
    }
    default: return 0;
  }
}

/** The smallest rectangle with all pixels that differ; one pixel if none does. */
function difference(before: Image, after: Image): Rectangle {
  let [top, bottom, first, last] = [after.height, -1, after.width, -1];
  for (let y = 0; y < after.height; y += 1) {
    for (let x = 0; x < after.width; x += 1) {
      const at = (y * after.width + x) * after.channels;
      if (before.pixels.compare(after.pixels, at, at + after.channels, at, at + after.channels) !== 0) {
        [top, bottom, first, last] = [Math.min(top, y), Math.max(bottom, y), Math.min(first, x), Math.max(last, x)];
      }
    }
  }
  return last < 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: first, y: top, width: last - first + 1, height: bottom - top + 1 };
}

/** The compressed rows of a rectangle: unfiltered, or each as the difference from the row above, whichever is smaller. */
function encoded({ width, channels, pixels }: Image, rectangle: Rectangle): Buffer {
  const rows = [0, 2].map((filter) => {
    const parts: Buffer[] = [];
    for (let y = rectangle.y; y < rectangle.y + rectangle.height; y += 1) {
      const row = (of: number): Buffer => pixels.subarray((of * width + rectangle.x) * channels, (of * width + rectangle.x + rectangle.width) * channels);
      const above = y > rectangle.y && filter === 2 ? row(y - 1) : undefined;
      parts.push(Buffer.from([filter]), above === undefined ? row(y) : Buffer.from(row(y).map((byte, at) => byte - (above[at] ?? 0))));
    }
    return deflateSync(Buffer.concat(parts), { level: 9 });
  });
  return rows.reduce((smallest, other) => (other.length < smallest.length ? other : smallest));
}
