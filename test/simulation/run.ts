import { faultsOf, rest } from './invariants.ts';
import { Simulation, type Outcome } from './simulation.ts';

/** Plays one seed through: so many random steps, then rest, then what has to hold. */
export async function simulate(seed: number, steps = 15): Promise<Outcome> {
  const simulation = await Simulation.start(seed);
  try {
    for (let i = 0; i < steps; i++) await simulation.act();
    return { seed, steps: simulation.steps, faults: await settled(simulation) };
  } finally {
    await simulation.stop();
  }
}

/** What is not as it should be once all nodes are on again and the cluster has come to rest. */
export async function settled(simulation: Simulation): Promise<string[]> {
  for (const { metadata } of await simulation.items('/api/v1/nodes')) {
    const open = { spec: { unschedulable: null } };
    await simulation.send('PATCH', `/api/v1/nodes/${metadata.name}`, open, 'application/merge-patch+json');
    await simulation.switchNode(metadata.name, false);
  }
  // Nodes that were off report again, and what they held is given up.
  await simulation.advance(60_000);
  return [...(await rest(simulation)), ...(await faultsOf(simulation))];
}
