/**
 * A light curve of 120 by 48 pixels as a real PNG: one bit a pixel, stored (not compressed) deflate blocks, so that
 * the bytes do not depend on anybody's zlib.
 */

import { resultOf } from "./minima-reports.ts";
import { asFound } from "./minimum.ts";

const WIDTH = 120;
const HEIGHT = 48;

export function lightCurvePng(night: string): string {
  const pixels = plot(night);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.writeUInt8(1, 8);
  const parts = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", storedZlib(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat(parts).toString("base64");
}

/** White paper, black dots; each row starts with its filter byte. */
function plot(night: string): Buffer {
  const stride = 1 + WIDTH / 8;
  const paper = Buffer.alloc(stride * HEIGHT, 0xff);
  for (let y = 0; y < HEIGHT; y++) paper[y * stride] = 0;
  const points = pointsOf(night);
  const first = Math.min(...points.map((p) => p.time));
  const span = Math.max(...points.map((p) => p.time)) - first;
  for (const p of points) {
    const x = Math.min(WIDTH - 1, Math.floor(((p.time - first) / span) * WIDTH));
    const y = Math.min(HEIGHT - 1, Math.max(0, Math.floor(((95_000 - p.counts) / 60_000) * HEIGHT)));
    const at = y * stride + 1 + (x >> 3);
    paper[at] = (paper[at] ?? 0) & ~(0x80 >> (x & 7));
  }
  return paper;
}

function pointsOf(night: string): ReturnType<typeof asFound> {
  const samples = resultOf(night)
    .csv.trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => {
      const cells = line.split(",");
      const stamp = Date.parse(cells[2] ?? "");
      return {
        boot: Number(cells[0]),
        seq: Number(cells[1]),
        trueTime: stamp,
        stamp,
        counts: Number(cells[3]),
        temperature: 0,
        volts: 0,
      };
    });
  return asFound(samples);
}

function storedZlib(data: Buffer): Buffer {
  const block = Buffer.alloc(5);
  block.writeUInt8(1, 0);
  block.writeUInt16LE(data.length, 1);
  block.writeUInt16LE(~data.length & 0xffff, 3);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(adler32(data));
  return Buffer.concat([Buffer.from([0x78, 0x01]), block, data, check]);
}

function adler32(data: Buffer): number {
  let a = 1;
  let b = 0;
  for (const byte of data) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
