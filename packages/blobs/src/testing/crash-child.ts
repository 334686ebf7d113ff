/**
 * Runs the service in its own process, for tests that kill it.
 * Takes the data directory and the node's URL, and prints the URL of the service.
 */
import { writeSync } from 'node:fs';
import { failpointFromEnvironment } from '../failpoints.ts';
import { serveBlobs } from '../serve.ts';

const [dataDir = '', nodeUrl = ''] = process.argv.slice(2);
const reach = failpointFromEnvironment(process.env['NET_FAILPOINT']);
const { url } = await serveBlobs({ host: '127.0.0.1', port: 0, dataDir, nodeUrl, reach });
writeSync(1, `${url}\n`);
