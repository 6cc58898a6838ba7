/** Properties on the inputs of every run, but only as many as there is time for: they run again for each mutant. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_201_208, interruptAfterTimeLimit: 150, markInterruptAsFailure: false });
