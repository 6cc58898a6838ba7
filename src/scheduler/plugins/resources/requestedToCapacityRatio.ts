import { ConfigurationError, type Fields } from '../../config/fields.ts';
import { MAX_SCORE, plugin, type Plugin } from '../../framework/plugin.ts';
import { amountOf } from '../../framework/resources.ts';
import { resourcesFrom, scaled, usedWith, type WeightedResource } from './allocation.ts';

/** A point of the function from utilization to score. */
export interface ShapePoint {
  /** In percent. */
  readonly utilization: number;
  /** From 0 to 100. */
  readonly score: number;
}

/** A weight is only limited by its type. */
const MOST_WEIGHT = Number.MAX_SAFE_INTEGER;

/** Points have scores from 0 to 10. */
const POINT_SCALE = 10;

/** The score of a utilization: interpolated between two points, constant beyond the ends. */
export function scoreOn(shape: readonly ShapePoint[], utilization: number): number {
  const next = shape.findIndex((point) => utilization <= point.utilization);
  const [before, after] = [shape[next - 1], shape[next]];
  if (!after) return shape.at(-1)?.score ?? 0;
  if (!before) return after.score;
  const rise = (after.score - before.score) * (utilization - before.utilization);
  return before.score + Math.trunc(rise / (after.utilization - before.utilization));
}

/** Scores nodes by a function of each resource's requested share. Resources with score 0 are ignored. */
export const ratioPlugin = (shape: readonly ShapePoint[], resources: readonly WeightedResource[]): Plugin =>
  plugin({
    name: 'RequestedToCapacityRatio',
    isLocal: true,
    weight: 1,
    score({ info }, node) {
      let [sum, weights] = [0, 0];
      for (const { name, weight } of resources) {
        const capacity = amountOf(node.allocatable, name);
        const used = usedWith(info, node, name);
        const fits = capacity !== 0 && used <= capacity;
        const worth = scoreOn(shape, fits ? MAX_SCORE - scaled(capacity - used, MAX_SCORE, capacity) : MAX_SCORE);
        if (worth <= 0) continue;
        sum += worth * weight;
        weights += weight;
      }
      return weights === 0 ? 0 : Math.round(sum / weights);
    },
  });

/** A placeholder for the plugin's name: without a shape it can't run. */
export const requestedToCapacityRatio = ratioPlugin([], []);

/** Reads `shape` and `resources`. */
export function requestedToCapacityRatioWith(args: Fields): Plugin {
  return ratioPlugin(shapeFrom(args), resourcesFrom(args, MOST_WEIGHT));
}

function shapeFrom(args: Fields): readonly ShapePoint[] {
  const points = args.list('shape').map((fields) => {
    const point = {
      utilization: fields.number('utilization', 0, 100) ?? 0,
      score: (fields.number('score', 0, POINT_SCALE) ?? 0) * (MAX_SCORE / POINT_SCALE),
    };
    fields.end();
    return point;
  });
  if (points.length === 0)
    throw new ConfigurationError(`${args.at('shape')}: Required value: at least one point must be specified`);
  const unsorted = points.findIndex((point, i) => i > 0 && point.utilization <= (points[i - 1]?.utilization ?? 0));
  if (unsorted > 0)
    throw new ConfigurationError(
      `${args.at('shape')}[${unsorted}].utilization: Invalid value: ${points[unsorted]?.utilization}: utilization values must be sorted in increasing order`,
    );
  return points;
}
