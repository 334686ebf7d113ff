import { netText } from '@netd/protocol';
import type { Snapshot } from '@netd/engine';
import { marked } from './marked.ts';
import type { ToolName } from './tools.ts';

export interface Subject {
  text: string;
  tool: ToolName;
  given: Record<string, string>;
}

const MAX_WORDS = 64;
const MAX_SUBJECTS = 3;
const ID = /[A-Za-z0-9][A-Za-z0-9._:-]{0,127}/g;

/**
 * Returns the ids in a question. A word that is also a topic counts only after "agent" or "order", because an
 * agent may be named "join".
 */
export function subjectsOf(
  snapshot: Snapshot,
  question: string,
  topicWords: ReadonlySet<string>,
): Subject[] {
  const words = [...question.matchAll(ID)]
    .map(([word]) => word.replace(/[.:]+$/, ''))
    .slice(0, MAX_WORDS);
  const subjects = new Map<string, Subject>();
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]?.toLowerCase() ?? '';
    if (topicWords.has(word.toLowerCase()) && !/^(?:agent|order|work-order)$/.test(before))
      continue;
    for (const subject of [agentNamed(snapshot, word), orderNamed(snapshot, word)]) {
      if (subject) subjects.set(subject.text, subject);
    }
  }
  return [...subjects.values()].slice(0, MAX_SUBJECTS);
}

function agentNamed(snapshot: Snapshot, agentId: string): Subject | null {
  const agent = snapshot.get('agent', agentId);
  if (!agent) return null;
  const stats = snapshot.get('work-stats', agentId);
  const text =
    `Agent ${marked(agentId)}: ${agent.status}, registered at height ${agent.registeredAt.height}. ` +
    `It was paid for ${stats?.verifiedOrders ?? 0} verified orders (${netText(stats?.earned ?? 0)} earned), ` +
    `has ${stats?.unfinishedOrders ?? 0} under way, missed ${stats?.timeouts ?? 0} deliveries and lost ${stats?.disputesLost ?? 0} disputes. ` +
    `As a requester it has funded ${stats?.requested.funded ?? 0} orders and paid ${stats?.requested.paid ?? 0}.`;
  return { text, tool: 'net_agent_decision_dossier', given: { agentId } };
}

function orderNamed(snapshot: Snapshot, orderId: string): Subject | null {
  const order = snapshot.get('order', orderId);
  if (!order) return null;
  const worker =
    order.workerId === null
      ? 'no agent has accepted it'
      : `${marked(order.workerId)} works on it or did`;
  const text = `Work order ${marked(orderId)}: ${order.status}, ${netText(order.funding)} funded by ${marked(order.requesterId)}; ${worker}.`;
  return { text, tool: 'net_work_brief', given: { orderId } };
}
