/** What the boxes of the picture look like, read from the page once and painted many times: films need no permission so. */

/** A box, one of its sides, an icon, or a run of words in one line; in pixels from the picture's upper left corner. */
export type Shape =
  | {
      readonly is: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /** Of each corner, clockwise from the upper left. */
      readonly radii: readonly number[];
      readonly fill: string;
      readonly line: string;
      readonly lineWidth: number;
    }
  | {
      readonly is: 'line';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly line: string;
      readonly lineWidth: number;
      readonly dashed: boolean;
    }
  | {
      readonly is: 'icon';
      readonly x: number;
      readonly y: number;
      /** Pixels for each unit of the icon's own coordinates. */
      readonly scale: number;
      readonly line: string;
      readonly lineWidth: number;
      readonly paths: readonly string[];
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

const hasLine = (width: string, style: string): boolean => parseFloat(width) > 0 && style !== 'none';

function boxOf(element: Element, { left, top }: Corner): readonly Shape[] {
  const style = getComputedStyle(element);
  const isLined = [
    [style.borderTopWidth, style.borderTopStyle],
    [style.borderBottomWidth, style.borderBottomStyle],
  ].every(([width = '', kind = '']) => hasLine(width, kind));
  const isFilled = !isClear(style.backgroundColor);
  const isDivided = !isLined && hasLine(style.borderLeftWidth, style.borderLeftStyle);
  if (!isFilled && !isLined && !isDivided) return [];
  const rect = element.getBoundingClientRect();
  if (rect.width === 0 || rect.height === 0) return [];
  const place = { x: rect.left - left, y: rect.top - top, height: rect.height };
  const corners = [
    style.borderTopLeftRadius,
    style.borderTopRightRadius,
    style.borderBottomRightRadius,
    style.borderBottomLeftRadius,
  ];
  const box: Shape = {
    ...{ is: 'box', ...place, width: rect.width },
    radii: corners.map((corner) => Math.min(parseFloat(corner) || 0, rect.height / 2)),
    fill: isFilled ? style.backgroundColor : '',
    line: isLined ? style.borderTopColor : '',
    lineWidth: parseFloat(style.borderTopWidth),
  };
  const divider: Shape = {
    ...{ is: 'line', ...place, width: 0 },
    line: style.borderLeftColor,
    lineWidth: parseFloat(style.borderLeftWidth),
    dashed: style.borderLeftStyle === 'dashed',
  };
  return [...(isFilled || isLined ? [box] : []), ...(isDivided ? [divider] : [])];
}

const numbersOf = (part: Element, names: readonly string[]): readonly number[] =>
  names.map((name) => Number(part.getAttribute(name) ?? 0));

/** A part of an icon as a path, as `d` has it. */
export function pathOf(part: Element): string {
  switch (part.tagName.toLowerCase()) {
    case 'path':
      return part.getAttribute('d') ?? '';
    case 'line': {
      const [x1, y1, x2, y2] = numbersOf(part, ['x1', 'y1', 'x2', 'y2']);
      return `M${x1} ${y1}L${x2} ${y2}`;
    }
    case 'polyline':
      return `M${part.getAttribute('points') ?? ''}`;
    case 'polygon':
      return `M${part.getAttribute('points') ?? ''}Z`;
    case 'rect': {
      const [x = 0, y = 0, width = 0, height = 0] = numbersOf(part, ['x', 'y', 'width', 'height']);
      return `M${x} ${y}h${width}v${height}h${-width}Z`;
    }
    case 'circle':
    case 'ellipse':
      return ellipseOf(part);
    default:
      return '';
  }
}

function ellipseOf(part: Element): string {
  const [cx = 0, cy = 0, r = 0] = numbersOf(part, ['cx', 'cy', 'r']);
  const [rx = r, ry = r] = part.hasAttribute('rx') ? numbersOf(part, ['rx', 'ry']) : [r, r];
  return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
}

/** Icons are drawn on a square of so many units. */
const ICON_UNITS = 24;

function iconOf(icon: SVGElement, { left, top }: Corner): readonly Shape[] {
  const rect = icon.getBoundingClientRect();
  if (rect.width === 0) return [];
  const { color, strokeWidth } = getComputedStyle(icon);
  const paths = [...icon.children].map(pathOf).filter(Boolean);
  const place = { x: rect.left - left, y: rect.top - top, scale: rect.width / ICON_UNITS };
  return [{ is: 'icon', ...place, line: color, lineWidth: parseFloat(strokeWidth) || 2, paths }];
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

/** What is not part of the picture: things to press, and the parts of icons. */
const isLeftOut = (node: Node): boolean => node instanceof Element && node.matches('[data-no-picture], svg *');

const shapesOf = (node: Node, corner: Corner): readonly Shape[] => {
  if (node instanceof Text) return textsOf(node, corner);
  return node instanceof SVGElement ? iconOf(node, corner) : boxOf(node as Element, corner);
};

/** Everything that is drawn within `stage`, the lowest first; canvases are not. */
export function shapesIn(stage: Element): readonly Shape[] {
  const corner = stage.getBoundingClientRect();
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    isLeftOut(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const shapes: Shape[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) shapes.push(...shapesOf(node, corner));
  return shapes;
}

type Painted<Is extends Shape['is']> = Extract<Shape, { readonly is: Is }>;

function paintBox(context: CanvasRenderingContext2D, shape: Painted<'box'>): void {
  context.beginPath();
  context.roundRect(shape.x, shape.y, shape.width, shape.height, [...shape.radii]);
  if (shape.fill !== '') {
    context.fillStyle = shape.fill;
    context.fill();
  }
  if (shape.line === '') return;
  context.strokeStyle = shape.line;
  context.lineWidth = shape.lineWidth;
  context.stroke();
}

function paintLine(context: CanvasRenderingContext2D, shape: Painted<'line'>): void {
  context.beginPath();
  context.setLineDash(shape.dashed ? [3, 3] : []);
  context.moveTo(shape.x, shape.y);
  context.lineTo(shape.x + shape.width, shape.y + shape.height);
  context.strokeStyle = shape.line;
  context.lineWidth = shape.lineWidth;
  context.stroke();
  context.setLineDash([]);
}

function paintIcon(context: CanvasRenderingContext2D, shape: Painted<'icon'>): void {
  context.save();
  context.translate(shape.x, shape.y);
  context.scale(shape.scale, shape.scale);
  context.strokeStyle = shape.line;
  context.lineWidth = shape.lineWidth;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const path of shape.paths) context.stroke(new Path2D(path));
  context.restore();
}

function paintText(context: CanvasRenderingContext2D, shape: Painted<'text'>): void {
  context.font = shape.font;
  context.fillStyle = shape.colour;
  context.fillText(shape.text, shape.x, shape.y);
}

export function paint(context: CanvasRenderingContext2D, shapes: readonly Shape[]): void {
  context.textBaseline = 'middle';
  for (const shape of shapes) {
    if (shape.is === 'box') paintBox(context, shape);
    else if (shape.is === 'line') paintLine(context, shape);
    else if (shape.is === 'icon') paintIcon(context, shape);
    else paintText(context, shape);
  }
}
