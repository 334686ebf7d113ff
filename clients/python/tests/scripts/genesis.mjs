// A devnet as any other in the directory of the first argument, but with windows that a test can wait for.
// With a second argument, `verifyWithin` may be as short.
import { fastWork, INSTANT, makeFastDevnet } from '@netd/testkit/fast-devnet';

const [, , directory, isShort] = process.argv;
makeFastDevnet(directory, isShort ? { policy: { work: fastWork(200, INSTANT) } } : {});
