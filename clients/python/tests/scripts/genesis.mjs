// A devnet as any other in the directory of the first argument, but with windows that a test can wait for.
import { makeFastDevnet } from '@netd/testkit/fast-devnet';

makeFastDevnet(process.argv[2]);
