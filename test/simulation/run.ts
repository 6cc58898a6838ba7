import { faultsOf, rest } from './invariants.ts';
import { Simulation, type Outcome } from './simulation.ts';

/** Plays one seed through: so many random steps, then rest, then what has to hold. */
export async function simulate(seed: number, steps = 15): Promise<Outcome> {
  const simulation = await Simulation.start(seed);
  try {
    for (let i = 0; i < steps; i++) await simulation.act();
    for (const node of await simulation.items('/api/v1/nodes'))
      await simulation.send(
        'PATCH',
        `/api/v1/nodes/${node.metadata.name}`,
        { spec: { unschedulable: null } },
        'application/merge-patch+json',
      );
    const faults = [...(await rest(simulation)), ...(await faultsOf(simulation))];
    return { seed, steps: simulation.steps, faults };
  } finally {
    await simulation.stop();
  }
}
