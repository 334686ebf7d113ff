/** Third-party components of a release, as CycloneDX 1.6 from the lock file, independent of this machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@netd/protocol/version';
import { ROOT } from './bundle.ts';

interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

export function billOfMaterials(): object {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const components = new Map<string, object>();
  for (const [path, locked] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? '';
    // Ours are links to folders.
    if (!path.includes('node_modules/') || locked.link === true || locked.version === undefined)
      continue;
    const purl = `pkg:npm/${name.replace('@', '%40')}@${locked.version}`;
    if (components.has(purl)) continue;
    components.set(purl, {
      type: 'library',
      'bom-ref': purl,
      name,
      version: locked.version,
      scope: locked.dev === true || locked.devOptional === true ? 'excluded' : 'required',
      ...(locked.integrity === undefined ? {} : { hashes: [hashOf(locked.integrity)] }),
      ...(locked.license === undefined ? {} : { licenses: [{ expression: locked.license }] }),
      purl,
    });
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:generic/netd@${VERSION}`,
        name: 'netd',
        version: VERSION,
        licenses: [{ expression: 'Apache-2.0' }],
        purl: `pkg:generic/netd@${VERSION}`,
      },
    },
    components: [...components.keys()].toSorted().map((purl) => components.get(purl)),
  };
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha512: 'SHA-512',
};

/** Converts npm's `sha512-<base64>` to CycloneDX. */
function hashOf(integrity: string): object {
  const [algorithm = '', base64 = ''] = integrity.split('-', 2);
  const alg = ALGORITHMS[algorithm];
  if (alg === undefined) throw new Error(`the lock file has a hash of ${algorithm}`);
  return { alg, content: Buffer.from(base64, 'base64').toString('hex') };
}
