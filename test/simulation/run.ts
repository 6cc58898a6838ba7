import { settled } from './invariants.ts';
import { ProcessGround } from './processGround.ts';
import { Simulation, type Outcome } from './simulation.ts';

/** Plays one seed through: so many random steps, then rest, then what has to hold. */
export async function simulate(seed: number, steps = 15): Promise<Outcome> {
  const ground = await ProcessGround.open(seed);
  const simulation = await Simulation.start(seed, ground);
  try {
    for (let i = 0; i < steps; i++) await simulation.act();
    return { seed, steps: simulation.steps, faults: await settled(simulation) };
  } finally {
    await ground.stop();
  }
}
