/** What the boxes of the picture look like, read from the page once and painted many times: films need no permission so. */

/** A box, or a run of words in one line; in pixels from the picture's upper left corner. */
export type Shape =
  | {
      readonly is: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
      readonly fill: string;
      readonly line: string;
      readonly lineWidth: number;
    }
  | {
      readonly is: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly font: string;
      readonly colour: string;
    };

interface Corner {
  readonly left: number;
  readonly top: number;
}

const isClear = (colour: string): boolean => colour === 'transparent' || /,\s*0\)$|\/\s*0\)$/.test(colour);

function boxOf(element: Element, { left, top }: Corner): readonly Shape[] {
  const style = getComputedStyle(element);
  const lineWidth = parseFloat(style.borderTopWidth);
  const isLined = lineWidth > 0 && style.borderTopStyle !== 'none' && style.borderBottomStyle !== 'none';
  if (isClear(style.backgroundColor) && !isLined) return [];
  const rect = element.getBoundingClientRect();
  if (rect.width === 0 || rect.height === 0) return [];
  return [
    {
      ...{ is: 'box', x: rect.left - left, y: rect.top - top, width: rect.width, height: rect.height },
      radius: Math.min(parseFloat(style.borderTopLeftRadius) || 0, rect.height / 2),
      fill: isClear(style.backgroundColor) ? '' : style.backgroundColor,
      line: isLined ? style.borderTopColor : '',
      lineWidth,
    },
  ];
}

/** The lines of a text node, as the browser broke it. */
function linesOf(node: Text): readonly { readonly text: string; readonly rect: DOMRect }[] {
  const lines: { text: string; rect: DOMRect }[] = [];
  const range = document.createRange();
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const rect = range.getBoundingClientRect();
    if (rect.width === 0) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.rect.top - rect.top) < 2) last.text += ` ${word}`;
    else lines.push({ text: word, rect });
  }
  return lines;
}

function textsOf(node: Text, { left, top }: Corner): readonly Shape[] {
  const parent = node.parentElement;
  if (!parent || node.data.trim() === '') return [];
  const { fontStyle, fontWeight, fontSize, fontFamily, color, visibility } = getComputedStyle(parent);
  if (visibility === 'hidden') return [];
  return linesOf(node).map(({ text, rect }): Shape => ({
    ...{ is: 'text', text, colour: color, font: `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}` },
    x: rect.left - left,
    y: rect.top - top + rect.height / 2,
  }));
}

/** Everything that is drawn within `stage`, the lowest first; canvases are not. */
export function shapesIn(stage: Element): readonly Shape[] {
  const corner = stage.getBoundingClientRect();
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const shapes: Shape[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    shapes.push(...(node instanceof Text ? textsOf(node, corner) : boxOf(node as Element, corner)));
  return shapes;
}

export function paint(context: CanvasRenderingContext2D, shapes: readonly Shape[]): void {
  context.textBaseline = 'middle';
  for (const shape of shapes) {
    if (shape.is === 'text') {
      context.font = shape.font;
      context.fillStyle = shape.colour;
      context.fillText(shape.text, shape.x, shape.y);
      continue;
    }
    context.beginPath();
    context.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius);
    if (shape.fill !== '') {
      context.fillStyle = shape.fill;
      context.fill();
    }
    if (shape.line !== '') {
      context.strokeStyle = shape.line;
      context.lineWidth = shape.lineWidth;
      context.stroke();
    }
  }
}
