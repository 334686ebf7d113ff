// A node that tells one lie at a time, of the catalogue that the JavaScript reader is tried with. One JSON line in, one out:
// {"lie": index or null} sets the lie from now on; {"told": true} asks whether it was.
import { createInterface } from 'node:readline';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { canonicalize } from '@netd/protocol';
import { liesAbout } from '@netd/protocol/testing';

const [url, agentId, transitionHash, orderId] = process.argv.slice(2);
const read = async (path) => (await fetch(url + path)).json();
const transition = await read(`/v1/transitions/${transitionHash}`);
const audit = await read(`/v1/work-orders/${orderId}/audit`);
const heights = audit.timeline.events.map(({ block }) => block.height);
const lies = liesAbout({
  stateProof: await read(`/v1/state/proof?key=agent/${agentId}`),
  absenceProof: await read('/v1/state/proof?key=agent/nobody'),
  transition,
  block: await read(`/v1/blocks/${transition.receipt.height}`),
  blocks: await read(`/v1/blocks/whole?heights=${heights}`),
  audit,
  genesis: await read('/v1/genesis'),
});
const proxy = await TamperingProxy.before(url);
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ url: proxy.url, lies: lies.map(({ name, path, readers }) => ({ name, path, readers })) });

let told = false;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if ('lie' in asked) {
    const lie = lies[asked.lie];
    told = false;
    proxy.tamper = (path, document) => {
      if (!lie || !path.startsWith(lie.path)) return document;
      const altered = lie.alter(document);
      told ||= canonicalize(altered) !== canonicalize(document);
      return altered;
    };
  }
  say({ told });
}
proxy.close();
