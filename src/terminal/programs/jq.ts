import { Part } from '../../std/index.ts';
import type { Program } from '../../programs/index.ts';

const jqPart = new Part(() => import('../jq/index.ts'));

/** `jq FILTER`: filters JSON. What runs filters comes with the first of them. */
export const jq: Program = async (process) => {
  const { jq: run } = await process.wait(jqPart.load());
  return run(process);
};
