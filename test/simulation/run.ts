import { faultsOf, rest } from './invariants.ts';
import { Simulation, type Outcome } from './simulation.ts';

/** Plays one seed through: so many random steps, then rest, then what has to hold. */
export async function simulate(seed: number, steps = 15): Promise<Outcome> {
  const simulation = await Simulation.start(seed);
  try {
    for (let i = 0; i < steps; i++) await simulation.act();
    for (const { metadata } of await simulation.items('/api/v1/nodes')) {
      const open = { spec: { unschedulable: null } };
      await simulation.send('PATCH', `/api/v1/nodes/${metadata.name}`, open, 'application/merge-patch+json');
      await simulation.switchNode(metadata.name, false);
    }
    // Nodes that were off report again, and what they held is given up.
    await simulation.advance(60_000);
    const faults = [...(await rest(simulation)), ...(await faultsOf(simulation))];
    return { seed, steps: simulation.steps, faults };
  } finally {
    await simulation.stop();
  }
}
