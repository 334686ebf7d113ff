/** The service in a process of its own, to be killed: arguments are data directory and node; prints where it listens. */
import { writeSync } from 'node:fs';
import { failpointFromEnvironment } from '../failpoints.ts';
import { serveBlobs } from '../serve.ts';

const [dataDir = '', nodeUrl = ''] = process.argv.slice(2);
const reach = failpointFromEnvironment(process.env['NET_FAILPOINT']);
const { url } = await serveBlobs({ host: '127.0.0.1', port: 0, dataDir, nodeUrl, reach });
writeSync(1, `${url}\n`);
