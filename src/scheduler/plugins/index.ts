/** All plugins, in the order in which filters and scores run. To add one: write its file, add it here. */
import type { Fields } from '../config/fields.ts';
import type { Plugin } from '../framework/plugin.ts';
import { imageLocality } from './imageLocality.ts';
import { interPodAffinity, interPodAffinityWith } from './interPodAffinity.ts';
import { nodeAffinity, nodeAffinityWith } from './nodeAffinity.ts';
import { nodeName } from './nodeName.ts';
import { nodePorts } from './nodePorts.ts';
import { nodePreferAvoidPods } from './nodePreferAvoidPods.ts';
import { nodeLabel, nodeLabelWith } from './nodeLabel.ts';
import { nodeUnschedulable } from './nodeUnschedulable.ts';
import { azureDiskLimits, cinderLimits, ebsLimits, gcePdLimits, nodeVolumeLimits } from './nodeVolumeLimits.ts';
import { podTopologySpread, podTopologySpreadWith } from './podTopologySpread.ts';
import {
  leastAllocatedWith,
  mostAllocatedWith,
  nodeResourcesBalancedAllocation,
  nodeResourcesLeastAllocated,
  nodeResourcesMostAllocated,
} from './resources/allocation.ts';
import { nodeResourcesFit, nodeResourcesFitWith } from './resources/fit.ts';
import { requestedToCapacityRatio, requestedToCapacityRatioWith } from './resources/requestedToCapacityRatio.ts';
import { selectorSpread } from './selectorSpread.ts';
import { serviceAffinity, serviceAffinityWith } from './serviceAffinity.ts';
import { taintToleration } from './taintToleration.ts';
import { volumeBinding } from './volumeBinding.ts';
import { volumeRestrictions } from './volumeRestrictions.ts';
import { volumeZone } from './volumeZone.ts';

/** A plugin as available to profiles. */
export interface PluginEntry {
  /** The plugin without arguments. */
  readonly plugin: Plugin;
  /** Creates it with the arguments of a profile. Throws ConfigurationError. */
  readonly make?: (args: Fields) => Plugin;
  /** Whether it requires arguments. */
  readonly needsArgs?: true;
  /** Whether it runs only if a profile enables it. */
  readonly optional?: true;
}

export const registry: readonly PluginEntry[] = [
  { plugin: nodeUnschedulable },
  { plugin: nodeName },
  { plugin: taintToleration },
  { plugin: nodeAffinity, make: nodeAffinityWith },
  { plugin: nodePorts },
  { plugin: nodeResourcesFit, make: nodeResourcesFitWith },
  { plugin: volumeRestrictions },
  { plugin: ebsLimits },
  { plugin: gcePdLimits },
  { plugin: nodeVolumeLimits },
  { plugin: azureDiskLimits },
  { plugin: cinderLimits, optional: true },
  { plugin: volumeBinding, make: withTimeout },
  { plugin: volumeZone },
  { plugin: podTopologySpread, make: podTopologySpreadWith },
  { plugin: interPodAffinity, make: interPodAffinityWith },
  { plugin: nodeResourcesBalancedAllocation },
  { plugin: nodeResourcesLeastAllocated, make: leastAllocatedWith },
  { plugin: nodeResourcesMostAllocated, make: mostAllocatedWith, optional: true },
  { plugin: requestedToCapacityRatio, make: requestedToCapacityRatioWith, needsArgs: true, optional: true },
  { plugin: selectorSpread, optional: true },
  { plugin: nodeLabel, make: nodeLabelWith, optional: true },
  { plugin: serviceAffinity, make: serviceAffinityWith, optional: true },
  { plugin: imageLocality },
  { plugin: nodePreferAvoidPods },
];

/** Plugins of the reference at other extension points; the scheduler itself does their work. */
export const named = ['PrioritySort', 'DefaultPreemption', 'DefaultBinder'];

/** The plugins of the default profile. */
export const plugins: readonly Plugin[] = registry.filter(({ optional }) => !optional).map(({ plugin }) => plugin);

/** Volumes are bound immediately here, so no timeout is needed. */
function withTimeout(args: Fields): Plugin {
  args.number('bindTimeoutSeconds', 0, Number.MAX_SAFE_INTEGER);
  return volumeBinding;
}
