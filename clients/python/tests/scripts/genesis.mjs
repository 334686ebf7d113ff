// A devnet as any other in the directory of the first argument, but with windows that a test can wait for.
import { makeHastyDevnet } from '@netd/testkit/hasty-devnet';

makeHastyDevnet(process.argv[2]);
