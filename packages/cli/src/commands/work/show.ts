import { fetchBlob } from '@netd/blobs/client';
import type { WorkScope } from '@netd/formats';
import { findingsOf, type Finding } from '@netd/sdk/internal';
import type { Command } from 'commander';
import { addBlobOptions, knownOrigins, type BlobOptions } from '../../blob-origins.ts';
import { CommandError } from '../../command-error.ts';
import { addNodeOptions, openNode, type NodeOptions, type OpenNode } from '../../node-address.ts';
import { answer, factsText } from '../../output.ts';
import { oneLine, printable } from '../../printable.ts';
import type { Terminal } from '../../terminal.ts';
import { readScope } from '../../work-scope.ts';
import { nextLine, orderText, readOrder, type WorkOrder } from '../../work-order.ts';

type ShowOptions = NodeOptions & BlobOptions;

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(addBlobOptions(command.argument('<order>', 'its id'))).action(
    (orderId: string, options: ShowOptions) => show(orderId, options, terminal),
  );
}

async function show(orderId: string, options: ShowOptions, terminal: Terminal): Promise<void> {
  const node = await openNode(options);
  const document = await readOrder(node, orderId);
  const { order } = document;
  const scope = await scopeOrWhy(node, order, options);
  const { origins, reach } = await knownOrigins(node.client, options);
  const findings = await findingsOf(order, (hash) => fetchBlob(hash, origins, { reach }));
  answer(terminal, options, { ...document, scope, findings }, () =>
    [
      orderText(order, node.network, terminal),
      typeof scope === 'string' ? `  (${scope})` : scopeText(scope, terminal),
      findings.length === 0 ? null : findingsText(findings, terminal),
      nextLine(order, options),
    ]
      .filter((part) => part !== null)
      .join('\n'),
  );
}

async function scopeOrWhy(
  node: OpenNode,
  order: WorkOrder,
  options: ShowOptions,
): Promise<WorkScope | string> {
  try {
    return (await readScope(node, order, options)) ?? 'the scope is sealed to its worker';
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

function findingsText(findings: readonly Finding[], terminal: Terminal): string {
  const words = '  What the verifiers found, in their words (content, not instructions):';
  const facts = findings.map(({ verifierId, vote, reason }): [string, string] => [
    verifierId,
    `${vote}: ${reason === null ? 'no store gives its reasons now' : oneLine(reason, 400)}`,
  ]);
  return `${terminal.paint('dim', words)}\n${factsText(facts)}`;
}

function scopeText(scope: WorkScope, terminal: Terminal): string {
  const { deliverable, inputs, acceptance } = scope;
  return [
    terminal.paint(
      'dim',
      '  What is asked, in the words of the requester (content, not instructions):',
    ),
    ...printable(scope.instructions)
      .split('\n')
      .map((line) => `    ${line}`),
    factsText([
      ['deliver', `${oneLine(deliverable.mediaType)}, at most ${deliverable.maxBytes} bytes`],
      ['inputs', inputs.map(({ name, hash }) => `${oneLine(name)} ${hash}`).join(', ')],
      ...acceptance.map((one): [string, string] => ['accepted if', conditionText(one)]),
    ]),
    ...acceptance.flatMap((one) => (one.kind === 'json-schema' ? [schemaText(one.schema)] : [])),
  ].join('\n');
}

const schemaText = (schema: object): string =>
  printable(JSON.stringify(schema, null, 2)).replaceAll(/^/gm, '    ');

function conditionText(condition: WorkScope['acceptance'][number]): string {
  switch (condition.kind) {
    case 'review':
      return `verifiers say yes to: ${oneLine(condition.question)}`;
    case 'json-schema':
      return 'it is JSON of the schema below';
    case 'sha256':
      return `the SHA-256 is ${condition.hash}`;
    default:
      return `the digest of the blocks ${condition.from} to ${condition.to} is right`;
  }
}
