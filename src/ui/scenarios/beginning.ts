import { findScenario } from './list.ts';
import { originOf } from './origins.ts';

/** What a cluster begins as, in words that end a sentence. */
export function beginningOf(name: string): string {
  const { scenario, recipe } = originOf(name) ?? {};
  const found = scenario && findScenario(scenario);
  if (found) return `as “${found.title}”`;
  return recipe ? 'with the objects that it was made with' : 'empty, with the same settings';
}
