/** The default profile, filters and scores in the order in which they are asked. To add a plugin: write its file, add it here. */
import type { Plugin } from '../framework/plugin.ts';
import { imageLocality } from './imageLocality.ts';
import { interPodAffinity } from './interPodAffinity.ts';
import { nodeAffinity } from './nodeAffinity.ts';
import { nodeName } from './nodeName.ts';
import { nodePorts } from './nodePorts.ts';
import { nodePreferAvoidPods } from './nodePreferAvoidPods.ts';
import { nodeResourcesBalancedAllocation, nodeResourcesFit, nodeResourcesLeastAllocated } from './nodeResources.ts';
import { nodeUnschedulable } from './nodeUnschedulable.ts';
import { azureDiskLimits, ebsLimits, gcePdLimits, nodeVolumeLimits } from './nodeVolumeLimits.ts';
import { podTopologySpread } from './podTopologySpread.ts';
import { taintToleration } from './taintToleration.ts';
import { volumeBinding } from './volumeBinding.ts';
import { volumeRestrictions } from './volumeRestrictions.ts';
import { volumeZone } from './volumeZone.ts';

export const plugins: readonly Plugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  ebsLimits,
  gcePdLimits,
  nodeVolumeLimits,
  azureDiskLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
  nodeResourcesBalancedAllocation,
  nodeResourcesLeastAllocated,
  imageLocality,
  nodePreferAvoidPods,
];
