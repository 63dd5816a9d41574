/** The position and drawing of each summary on the canvas. Messages run from left to right, depth goes upwards. */
import type { Node, Tree } from "./dag-view.tsx";

/** The visible range of messages. */
export interface Camera {
  readonly from: number;
  readonly span: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const AXIS_PX = 22;
const GAP_PX = 3;

export function fitAll({ conversation }: Tree): Camera {
  return { from: 1, span: Math.max(1, conversation.messageCount) };
}

/** `at`: the fixed point, from 0 to 1. */
export function zoomed({ from, span }: Camera, at: number, factor: number): Camera {
  const next = Math.max(4, Math.min(span / factor, 1e7));
  return { from: from + (span - next) * at, span: next };
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function boxOf({ firstSeq, lastSeq, depth }: Node, levels: number, { from, span }: Camera, size: Size): Box {
  const perMessage = size.width / span;
  const row = (size.height - AXIS_PX) / levels;
  const x = (firstSeq - from) * perMessage;
  const width = Math.max(1, (lastSeq + 1 - firstSeq) * perMessage - 1);
  return { x, y: size.height - AXIS_PX - (depth + 1) * row + GAP_PX, width, height: row - GAP_PX };
}

function levelsOf({ summaries }: Tree): number {
  return 1 + summaries.reduce((most, { depth }) => Math.max(most, depth), 0);
}

/** Readable, and at most half of the screen. */
export function heightOf(tree: Tree): number {
  return Math.min(420, levelsOf(tree) * 84 + AXIS_PX);
}

export function nodeAt(tree: Tree, camera: Camera, size: Size, x: number, y: number): Node | undefined {
  const levels = levelsOf(tree);
  return tree.summaries.find((node) => {
    const box = boxOf(node, levels, camera, size);
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
  });
}

export function drawDag(
  canvas: HTMLCanvasElement,
  tree: Tree,
  camera: Camera,
  { width, height, selected }: Size & { readonly selected: string | null },
): void {
  const pen = canvas.getContext("2d");
  if (pen === null || width === 0) return;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  pen.scale(devicePixelRatio, devicePixelRatio);
  const colours = coloursOf(canvas);
  const standing = new Set(tree.context.flatMap((place) => (place.type === "summary" ? [place.id] : [])));
  const levels = levelsOf(tree);
  drawAxis(pen, camera, { width, height }, colours.text);
  for (const node of tree.summaries) {
    const box = boxOf(node, levels, camera, { width, height });
    if (box.x > width || box.x + box.width < 0) continue;
    drawNode(pen, node, box, {
      colours,
      isSelected: node.id === selected,
      isStanding: standing.has(node.id),
    });
  }
}

interface Look {
  readonly colours: Colours;
  readonly isSelected: boolean;
  readonly isStanding: boolean;
}

function drawNode(pen: CanvasRenderingContext2D, node: Node, box: Box, look: Look): void {
  const { colours, isSelected, isStanding } = look;
  pen.fillStyle = isSelected ? colours.accent : colours.fill;
  // Summaries with low fidelity are paler.
  pen.globalAlpha = isSelected ? 1 : 0.35 + 0.55 * (node.fidelity ?? 0.5);
  pen.fillRect(box.x, box.y, box.width, box.height);
  pen.globalAlpha = 1;
  if (isStanding) {
    pen.strokeStyle = colours.text;
    pen.lineWidth = 1.5;
    pen.strokeRect(box.x + 0.75, box.y + 0.75, Math.max(0, box.width - 1.5), box.height - 1.5);
  }
  if (box.width < 54 || box.height < 16) return;
  pen.fillStyle = isSelected ? colours.onAccent : colours.text;
  pen.font = "11px system-ui, sans-serif";
  pen.save();
  pen.beginPath();
  pen.rect(box.x, box.y, box.width, box.height);
  pen.clip();
  const x = Math.max(box.x, 0) + 6;
  pen.fillText(`${node.firstSeq}–${node.lastSeq}`, x, box.y + 14);
  const room = box.x + box.width - x - 4;
  const sizes = [`${node.tokens} of ${node.sourceTokens} tokens`, `${node.tokens} tokens`];
  const fitting = sizes.find((words) => pen.measureText(words).width <= room);
  if (box.height > 32 && fitting !== undefined) pen.fillText(fitting, x, box.y + 28);
  pen.restore();
}

function drawAxis(pen: CanvasRenderingContext2D, { from, span }: Camera, size: Size, colour: string): void {
  pen.fillStyle = colour;
  pen.font = "11px system-ui, sans-serif";
  const marks = Math.max(1, Math.floor(size.width / 110));
  for (let mark = 0; mark < marks; mark++) {
    const seq = Math.round(from + (span * mark) / marks);
    if (seq >= 1) pen.fillText(`#${seq}`, ((seq - from) / span) * size.width + 2, size.height - 6);
  }
}

type Colours = Readonly<Record<"text" | "fill" | "accent" | "onAccent", string>>;

/** From the style sheet, so that both themes fit. */
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    ...{ text: colour("--text"), fill: colour("--summaries") },
    ...{ accent: colour("--accent"), onAccent: colour("--on-accent") },
  };
}
