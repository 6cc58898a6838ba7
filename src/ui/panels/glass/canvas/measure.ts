/** Measures where the boxes of the picture stand: only when one of them may have moved, and when the layout is known anyway. */
import type { Plan, Rect } from './geometry.ts';

/** Below this width everything stands below each other. */
const NARROW = 800;

function measure(stage: HTMLElement): Plan {
  const origin = stage.getBoundingClientRect();
  const boxes = new Map<string, Rect>();
  for (const element of boxesIn(stage)) {
    const { left, top, width, height } = element.getBoundingClientRect();
    // What the layout leaves out stands nowhere.
    if (width === 0) continue;
    boxes.set(element.dataset['box'] ?? '', { x: left - origin.left, y: top - origin.top, width, height });
  }
  return { width: origin.width, height: origin.height, narrow: origin.width < NARROW, boxes };
}

const boxesIn = (stage: HTMLElement): readonly HTMLElement[] => [...stage.querySelectorAll<HTMLElement>('[data-box]')];

/** Calls back with the plan, now and whenever a box comes, goes or changes its size; returns what ends it. */
export function onPlan(stage: HTMLElement, measured: (plan: Plan) => void): () => void {
  const sizes = new ResizeObserver(() => measured(measure(stage)));
  let known: readonly HTMLElement[] = [];
  const look = (): void => {
    const boxes = boxesIn(stage);
    if (boxes.length === known.length && boxes.every((box, i) => box === known[i])) return;
    // What is observed anew is told of once.
    sizes.disconnect();
    for (const each of [stage, ...boxes]) sizes.observe(each);
    known = boxes;
  };
  const contents = new MutationObserver(look);
  contents.observe(stage, { childList: true, subtree: true });
  look();
  return () => {
    sizes.disconnect();
    contents.disconnect();
  };
}
