/** A small cluster whose pods can run programs: the dataplane over the view of `world.ts`, and what it reported. */
import { Dataplane, type NetworkView } from '../../src/network/index.ts';
import type { Network } from '../../src/programs/index.ts';
import { manualClock, must, seededRandom, type ControlledClock } from '../../src/std/index.ts';
import { createTracer, type FlowEvent } from '../../src/trace/index.ts';
import { Box } from '../programs/harness.ts';
import { add, smallCluster } from './world.ts';

export class DataplaneWorld {
  readonly clock: ControlledClock = manualClock();
  readonly view: NetworkView;
  readonly dataplane: Dataplane;
  readonly flows: FlowEvent[] = [];

  constructor(objects: string) {
    const tracer = createTracer(this.clock);
    tracer.listen((event) => void (event.topic === 'flow' && this.flows.push(event)), ['flow']);
    this.view = smallCluster(objects);
    this.dataplane = new Dataplane({ view: this.view, clock: this.clock, random: seededRandom(1), tracer });
  }

  network(key: string): Network {
    const pod = must(this.view.get('pods', key), key);
    return this.dataplane.networkOf(pod.status?.podIP ?? '', { pod });
  }

  box(key: string): Box {
    return new Box({ network: this.network(key), clock: this.clock });
  }

  add(text: string): void {
    add(this.view, text);
  }
}
