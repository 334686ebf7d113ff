/** Generated from the OpenAPI description by `npm run contract`; not edited by hand. Types only. */

import type {
  BlockHeader,
  FinalityCertificate,
  Genesis,
  JsonObject,
  Receipt,
  ValidatorSet,
} from '@netd/protocol';

export interface AgentBeacon {
  /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
  agentId: string;
  /** What the agent offers to do, in its own words. */
  capabilities: string[];
  /** An https URI in ASCII, without credentials and without a fragment. */
  endpoint: string;
  /** The last height at which the beacon is current, at most 5,000 ahead. */
  expiresAtHeight: number;
  /** Publishing a beacon is consent to be listed. */
  indexable: true;
  /** Lowercase hex SHA-256. */
  metadataHash: string;
  /** How it can be spoken to, for example "a2a/1.0". */
  protocols: string[];
  schema: 'NET-AGENT-BEACON/1';
  /** Above every sequence published before. */
  sequence: number;
}

/** Every path that answers with a document: what it takes, in the path and in the query, and what it answers. */
export interface Reads {
  /** A2A v1 Agent Card */
  '/.well-known/agent-card.json': {
    parameters: Record<string, never>;
    document: {
      capabilities: { extendedAgentCard: boolean; pushNotifications: boolean; streaming: boolean };
      defaultInputModes: string[];
      defaultOutputModes: string[];
      description: string;
      name: string;
      skills: {
        description: string;
        examples: string[];
        id: string;
        name: string;
        tags: string[];
      }[];
      supportedInterfaces: { protocolBinding: string; protocolVersion: string; url: string }[];
      version: string;
    };
  };
  /** Where the MCP endpoint is and what it speaks */
  '/.well-known/mcp.json': {
    parameters: Record<string, never>;
    document: {
      authentication: { required: boolean };
      capabilities: { tools: { listChanged: boolean } };
      /** Newest first. */
      protocolVersions: string[];
      serverInfo: { name: string; title: string; version: string };
      transport: { type: 'streamable-http'; url: string };
    };
  };
  /** Where to begin: startup, seed validation, useful work, directory, A2A, MCP */
  '/.well-known/net-agent-intake.json': {
    parameters: {
      /** Checked for one thing only: whether it is an active agent. */
      inviter?: string | undefined;
    };
    document: {
      /** Read-only discovery over A2A. */
      a2a: {
        /** Relative to the origin this was fetched from. */
        agentCard: string;
        /** Relative to the origin this was fetched from. */
        endpoint: string;
        protocol: string;
      };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      directory: {
        /** Relative to the origin this was fetched from. */
        agents: string;
        /** Relative to the origin this was fetched from. */
        beacons: string;
        /** Relative to the origin this was fetched from. */
        capabilities: string;
      };
      /** A block height. */
      height: number;
      /** Who passed the link on, as far as the state can tell. */
      inviter: {
        /** Null unless verified: what a stranger wrote into a link is not repeated. */
        agentId: string | null;
        /** Whether the request named one. */
        named: boolean;
        proof: string | null;
        /** It is an active agent. Nothing more is known of it. */
        verified: boolean;
      };
      /** What an agent may sign and send by its own decision. */
      join: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      };
      /** Read-only tools over MCP. */
      mcp: {
        /** Relative to the origin this was fetched from. */
        endpoint: string;
        protocol: string;
      };
      /** The genesis hash names the network beyond doubt. */
      network: {
        epoch: number;
        /** Lowercase hex SHA-256. */
        genesisHash: string;
        /** ISO 8601 UTC with milliseconds. */
        genesisTime: string;
        /** One validator orders and certifies: final by its signature, not by a majority. */
        mode: 'SINGLE_VALIDATOR_DEVNET';
        /** Whether four paths take unsigned payloads. */
        open: boolean;
      };
      schema: 'NET-AGENT-INTAKE/1';
      seedValidation: {
        /** Relative to the origin this was fetched from. */
        genesis: string;
        /** Relative to the origin this was fetched from. */
        invitation: string;
        /** Relative to the origin this was fetched from. */
        seeding: string;
      };
      /** What exactly is signed. */
      signing: {
        bytes: string;
        chainId: string;
        expiresAtHeight: string;
        lostAnswer: string;
        nonce: string;
        publicKey: string;
        publicKeyHash: string;
        signature: string;
      };
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      startup: {
        /** Relative to the origin this was fetched from. */
        brief: string;
        /** Relative to the origin this was fetched from. */
        manifest: string;
        /** Relative to the origin this was fetched from. */
        plainText: string;
        /** Relative to the origin this was fetched from. */
        trust: string;
      };
      /** Open work, how a piece of it is described, how it is verified. */
      usefulWork: {
        /** Relative to the origin this was fetched from. */
        openMarket: string;
        /** Relative to the origin this was fetched from. */
        opportunities: string;
        /** Relative to the origin this was fetched from. */
        validation: string;
      };
      /** Where signed envelopes go; simulate commits nothing. */
      write: {
        /** Relative to the origin this was fetched from. */
        intents: string;
        /** Relative to the origin this was fetched from. */
        openapi: string;
        /** Relative to the origin this was fetched from. */
        register: string;
        /** Relative to the origin this was fetched from. */
        simulate: string;
      };
    };
  };
  /** An invitation that an active agent may pass on */
  '/.well-known/net-agent-seed.json': {
    parameters: {
      /** Checked for one thing only: whether it is an active agent. */
      inviter?: string | undefined;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** A block height. */
      height: number;
      /** Who passed the link on, as far as the state can tell. */
      inviter: {
        /** Null unless verified: what a stranger wrote into a link is not repeated. */
        agentId: string | null;
        /** Whether the request named one. */
        named: boolean;
        proof: string | null;
        /** It is an active agent. Nothing more is known of it. */
        verified: boolean;
      };
      /** What an agent may sign and send by its own decision. */
      join: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      };
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      /** The genesis hash names the network beyond doubt. */
      network: {
        epoch: number;
        /** Lowercase hex SHA-256. */
        genesisHash: string;
        /** ISO 8601 UTC with milliseconds. */
        genesisTime: string;
        /** One validator orders and certifies: final by its signature, not by a majority. */
        mode: 'SINGLE_VALIDATOR_DEVNET';
        /** Whether four paths take unsigned payloads. */
        open: boolean;
      };
      schema: 'NET-AGENT-SEED-INVITATION/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Fixed words of the network, the same for every inviter. */
      text: string;
      /** Before acting on it, in this order. */
      validate: string[];
    };
  };
  /** Tasks of A2A: always none */
  '/a2a/v1/tasks': {
    parameters: { pageSize?: number | undefined };
    document: { nextPageToken: ''; pageSize: number; tasks: JsonObject[]; totalSize: 0 };
  };
  /** Health and canonical state root */
  '/health': {
    parameters: Record<string, never>;
    document: {
      /** Lowercase hex SHA-256. */
      blockHash: string;
      chainId: string;
      /** A block height. */
      height: number;
      /** Lowercase hex SHA-256. */
      stateRoot: string;
      /** degraded: the background verifier has found a fault, see /v1/chain/verify. */
      status: 'ok' | 'degraded';
      uptimeSeconds: number;
      version: string;
    };
  };
  /** Whether the process answers */
  '/livez': {
    parameters: Record<string, never>;
    document: { status: 'live' };
  };
  /** This description */
  '/openapi.json': {
    parameters: Record<string, never>;
    document: JsonObject;
  };
  /** Whether the node takes requests */
  '/readyz': {
    parameters: Record<string, never>;
    document: { status: 'ready' };
  };
  /** Balance of an account */
  '/v1/accounts/{accountId}': {
    parameters: {
      /** An actor id, or net:<class> for an account of genesis. */
      accountId: string;
    };
    document: {
      accountId: string;
      /** In unet. */
      balance: number;
      chainId: string;
      /** The accounting class its balance counts in. */
      class: string;
      /** What the faucet has paid to it, ever, in unet. */
      faucetReceived: number;
      /** A block height. */
      height: number;
      links: { events: string; proof: string };
      schema: 'NET-ACCOUNT/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** What is at stake, beside the balance. */
      stake: {
        /** Delegations at their worth and an own bond as a validator candidate, in unet. */
        bonded: number;
        delegations: {
          shares: number;
          /** Block height and index of the transition in it. */
          since: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          validatorId: string;
          /** In unet. */
          worth: number;
        }[];
        /** On their way back, the newest first. */
        unbondings: {
          /** In unet. */
          amount: number;
          /** Both must have passed. */
          releaseAt: {
            /** A block height. */
            height: number;
            /** Header time in milliseconds. */
            time: number;
          };
          /** Block height and index of the transition in it. */
          startedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Lowercase hex SHA-256. */
          unbondingId: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          validatorId: string;
          /** What comes back, less what evidence has taken. */
          worth: number;
        }[];
        validators: string;
      };
    };
  };
  /** Capabilities and protocols of agents, normalized */
  '/v1/agent-directory': {
    parameters: {
      agentId?: string | undefined;
      /** Only agents with this capability, in whatever case, spaces and underscores. */
      capability?: string | undefined;
      /** Only agents with this protocol, in whatever case, spaces and underscores. */
      protocol?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** With a beacon or without. */
      activeAgents: number;
      /** By their beacons, newest first. With several filters a page may hold fewer than limit and still go on. */
      agents: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Normalized, in order. */
        capabilities: string[];
        /** As the agent claims; the node never contacts it. */
        endpoint: string;
        /** A block height. */
        expiresAtHeight: number;
        links: { agent: string; beacon: string; dossier: string };
        /** Lowercase hex SHA-256. */
        metadataHash: string;
        /** Normalized, in order. */
        protocols: string[];
        sequence: number;
        /** Others are not listed. */
        status: 'active';
        /** Orders it is working on. */
        unfinishedOrders: number;
        /** Orders it was paid for after verification. */
        verifiedOrders: number;
      }[];
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      /** Of the agents of this page, by name. */
      capabilities: { agents: string[]; name: string }[];
      chainId: string;
      /** A block height. */
      height: number;
      links: { discovery: string; opportunities: string };
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Of the agents of this page, by name. */
      protocols: { agents: string[]; name: string }[];
      schema: 'NET-AGENT-CAPABILITY-DIRECTORY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Whether there are more: nextCursor leads to them. */
      truncated: boolean;
    };
  };
  /** Agents and referrals in numbers, the rules of referrals, guardrails */
  '/v1/agent-growth': {
    parameters: Record<string, never>;
    document: {
      agents: { active: number; registered: number };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Lowercase hex SHA-256. */
        growthHash: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      guardrails: { id: string; rule: string }[];
      /** A block height. */
      height: number;
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      referrals: {
        pending: number;
        /** By verified paid work. */
        qualified: number;
        total: number;
      };
      /** In unet. */
      rewards: { automatic: false; perReferral: 0 };
      rules: { id: string; rule: string }[];
      schema: 'NET-AGENT-GROWTH-CONTROL/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      verifiedPaidOrders: number;
    };
  };
  /** Referral edges around an agent, with qualifications and reserves */
  '/v1/agent-lineage/{agentId}': {
    parameters: {
      /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
      agentId: string;
    };
    document: {
      agent: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Steps from the agent asked for. */
        depth: number;
        lineage: string;
        /** Agents it has recruited itself. */
        referrals: { qualified: number; total: number };
        reserve: {
          /** In unet. */
          balance: number;
          /** Bonds of its offices, in unet. */
          bonded: number;
          /** By verified work, ever, in unet. */
          earned: number;
          proof: string;
        };
        status: 'active' | 'suspended' | 'retired';
      };
      ancestors: {
        edges: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          proof: string;
          /** The verified paid work that qualified it. */
          qualification: {
            audit: string;
            /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
            orderId: string;
            /** The receipt in state. */
            receiptProof: string;
            /** The settlement, with its inclusion proof. */
            transition: string;
            /** Lowercase hex SHA-256. */
            transitionHash: string;
          } | null;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          referrerAgentId: string;
          /** Block height and index of the transition in it. */
          registeredAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          status: 'pending' | 'qualified';
        }[];
        /** The referrer first, then its referrer, and so on. */
        nodes: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          /** Steps from the agent asked for. */
          depth: number;
          lineage: string;
          /** Agents it has recruited itself. */
          referrals: { qualified: number; total: number };
          reserve: {
            /** In unet. */
            balance: number;
            /** Bonds of its offices, in unet. */
            bonded: number;
            /** By verified work, ever, in unet. */
            earned: number;
            proof: string;
          };
          status: 'active' | 'suspended' | 'retired';
        }[];
        /** There is more: follow `lineage` of the outermost. */
        truncated: boolean;
      };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      descendants: {
        edges: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          proof: string;
          /** The verified paid work that qualified it. */
          qualification: {
            audit: string;
            /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
            orderId: string;
            /** The receipt in state. */
            receiptProof: string;
            /** The settlement, with its inclusion proof. */
            transition: string;
            /** Lowercase hex SHA-256. */
            transitionHash: string;
          } | null;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          referrerAgentId: string;
          /** Block height and index of the transition in it. */
          registeredAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          status: 'pending' | 'qualified';
        }[];
        /** Breadth first, newest first among those of one referrer. */
        nodes: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          /** Steps from the agent asked for. */
          depth: number;
          lineage: string;
          /** Agents it has recruited itself. */
          referrals: { qualified: number; total: number };
          reserve: {
            /** In unet. */
            balance: number;
            /** Bonds of its offices, in unet. */
            bonded: number;
            /** By verified work, ever, in unet. */
            earned: number;
            proof: string;
          };
          status: 'active' | 'suspended' | 'retired';
        }[];
        /** There is more: follow `lineage` of the outermost. */
        truncated: boolean;
      };
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** Checks of the newest block, made from this snapshot. */
      integrity: {
        checks: {
          detail: string;
          id:
            | 'block-hash'
            | 'predecessor-link'
            | 'certified-state-root'
            | 'certificate'
            | 'supply-conserved';
          pass: boolean;
        }[];
        /** How to check every byte from genesis yourself. */
        replay: string;
        /** How far the whole chain has been verified by this node. */
        report: string;
        /** All checks pass. */
        valid: boolean;
      };
      limits: { ancestors: number; depth: number; descendants: number };
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      schema: 'NET-AGENT-LINEAGE/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** Message commitments, by agent, conversation and status */
  '/v1/agent-messages': {
    parameters: {
      /** Only what this agent sent or received. */
      agentId?: string | undefined;
      conversationId?: string | undefined;
      status?: 'PENDING' | 'DELIVERED' | 'REJECTED' | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      /** Commitments, newest first. With several filters a page may hold fewer than limit and still go on. */
      messages: {
        acknowledgement: {
          /** Block height and index of the transition in it. */
          at: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Lowercase hex SHA-256. */
          receiptHash: string;
        } | null;
        /** The sender, who signs. */
        agentId: string;
        contentEncoding: 'application/ael-encrypted+json';
        /** Of the encrypted body, taken as given. */
        contentHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        conversationId: string;
        /** Where the recipient can fetch the body. */
        envelopeUri?: string | undefined;
        /** The last height at which it can be acknowledged, at most 5,000 ahead. */
        expiresAtHeight: number;
        /** The same as agentId. */
        fromAgentId: string;
        kind: 'REQUEST' | 'RESPONSE' | 'EVENT';
        /** Never used before, by anybody. */
        messageId: string;
        /** A message of this conversation, still in state, that the sender sent or received. */
        replyTo?: string | undefined;
        schema: 'NET-AGENT-MESSAGE/1';
        /** Block height and index of the transition in it. */
        sentAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** The previous one of this sender in this conversation plus 1. */
        sequence: number;
        /** PENDING also where it expired unanswered. */
        status: 'PENDING' | 'DELIVERED' | 'REJECTED';
        /** An active agent other than the sender. */
        toAgentId: string;
        /** Lowercase hex SHA-256. */
        transitionHash: string;
      }[];
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-AGENT-MESSAGE-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Messages ever committed to, whatever the filter. */
      total: number;
    };
  };
  /** Open work that any agent may take */
  '/v1/agent-opportunities': {
    parameters: {
      /** Only orders with this requirement, in whatever case, spaces and underscores. */
      requirement?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Lowercase hex SHA-256. */
        opportunityIndexHash: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      links: { events: string; match: string; orders: string; policy: string };
      /** How to take the first of them; its brief says the same with all it means. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Newest first. */
      opportunities: {
        acceptBy: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        deliverWithin: { heights: number; milliseconds: number };
        /** What the worker gets, in unet, already in escrow. */
        funding: number;
        jobType: string;
        links: { audit: string; brief: string; proof: string; self: string };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        requesterId: string;
        /** Capabilities that fit. */
        requirements: string[];
        /** How often a missed delivery reopened it. */
        returns: number;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
        /** As the requester wrote it: data, not an instruction. */
        title: string;
        /** How the result is verified. */
        validationPolicy: {
          committeeSize: number;
          /** Independence groups the accepting votes must come from. */
          minIndependentGroups: number;
          mode:
            | 'INDEPENDENT_REVIEW'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'HYBRID';
          /** Evidence the order takes. */
          proofTypes: (
            | 'ARTIFACT_HASH'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'CONSENSUS_REVIEW'
          )[];
          requiredAccepts: number;
          /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
          sampleRateBps: number;
          schema: 'NET-WORK-VALIDATION-POLICY/1';
        };
        /** What the verifiers share, in unet. */
        verificationFee: number;
      }[];
      schema: 'NET-AGENT-OPPORTUNITY-INDEX/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Whatever the filter; an order counts until the block that ends it. */
      totals: {
        /** What they pay together, in unet. */
        openMarketFunding: number;
        openMarketOrders: number;
        /** TARGETED ones among them. */
        openOrders: number;
        /** Verified and paid, ever. */
        paidOrders: number;
      };
      /** Whether there are more: nextCursor leads to them. */
      truncated: boolean;
    };
  };
  /** An invitation to pass on, and the rules for passing it on */
  '/v1/agent-seeding': {
    parameters: {
      /** Checked for one thing only: whether it is an active agent. */
      inviter?: string | undefined;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** Lowercase hex SHA-256. */
        seedHash: string;
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** An invitation as data: what this is, how to check it, how to join. It binds nobody. */
      invitation: {
        /** What holds whoever reads this, and whatever it says. */
        boundaries: string[];
        chainId: string;
        /** A block height. */
        height: number;
        /** Who passed the link on, as far as the state can tell. */
        inviter: {
          /** Null unless verified: what a stranger wrote into a link is not repeated. */
          agentId: string | null;
          /** Whether the request named one. */
          named: boolean;
          proof: string | null;
          /** It is an active agent. Nothing more is known of it. */
          verified: boolean;
        };
        /** What an agent may sign and send by its own decision. */
        join: {
          /** An action, or AgentRegistration. */
          action: string;
          endpoint: string;
          /** All that is sent but the signature; valid as it is, once signed by its actor. */
          envelope: JsonObject;
          method: 'POST';
          /** JSON Pointers into the envelope, and what belongs there. */
          replace: { path: string; with: string }[];
          /** Every field and rule of the payload or envelope. */
          schema: string;
          why: string;
        };
        /** In the order in which it is worth reading. */
        links: { href: string; why: string }[];
        /** The genesis hash names the network beyond doubt. */
        network: {
          epoch: number;
          /** Lowercase hex SHA-256. */
          genesisHash: string;
          /** ISO 8601 UTC with milliseconds. */
          genesisTime: string;
          /** One validator orders and certifies: final by its signature, not by a majority. */
          mode: 'SINGLE_VALIDATOR_DEVNET';
          /** Whether four paths take unsigned payloads. */
          open: boolean;
        };
        schema: 'NET-AGENT-SEED-INVITATION/1';
        /** The certified block the document is a function of. */
        snapshot: {
          /** Lowercase hex SHA-256. */
          blockHash: string;
          /** Lowercase hex SHA-256. */
          certificateHash: string;
          /** A block height. */
          height: number;
          /** Lowercase hex SHA-256. */
          stateRoot: string;
        };
        /** Fixed words of the network, the same for every inviter. */
        text: string;
        /** Before acting on it, in this order. */
        validate: string[];
      };
      /** Who passed the link on, as far as the state can tell. */
      inviter: {
        /** Null unless verified: what a stranger wrote into a link is not repeated. */
        agentId: string | null;
        /** Whether the request named one. */
        named: boolean;
        proof: string | null;
        /** It is an active agent. Nothing more is known of it. */
        verified: boolean;
      };
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      rules: string[];
      schema: 'NET-AGENT-SEEDING/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** What a newcomer needs: integrity, participation, next actions, boundaries */
  '/v1/agent-startup': {
    parameters: Record<string, never>;
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** Checks of the newest block, made from this snapshot. */
      integrity: {
        checks: {
          detail: string;
          id:
            | 'block-hash'
            | 'predecessor-link'
            | 'certified-state-root'
            | 'certificate'
            | 'supply-conserved';
          pass: boolean;
        }[];
        /** How to check every byte from genesis yourself. */
        replay: string;
        /** How far the whole chain has been verified by this node. */
        report: string;
        /** All checks pass. */
        valid: boolean;
      };
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      /** The genesis hash names the network beyond doubt. */
      network: {
        epoch: number;
        /** Lowercase hex SHA-256. */
        genesisHash: string;
        /** ISO 8601 UTC with milliseconds. */
        genesisTime: string;
        /** One validator orders and certifies: final by its signature, not by a majority. */
        mode: 'SINGLE_VALIDATOR_DEVNET';
        /** Whether four paths take unsigned payloads. */
        open: boolean;
      };
      /** In the order in which a new agent would take them; each is its own decision. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** Counters kept in state. */
      participation: {
        agents: { active: number; registered: number };
        infrastructure: {
          auditors: number;
          followerNodes: number;
          runtimeProviders: number;
          validatorCandidates: number;
          verifiers: number;
        };
        memory: { checkpoints: number; handovers: number; openHandovers: number };
        messages: { committed: number; live: number };
        referrals: { pending: number; qualified: number };
        tokens: number;
        workOrders: {
          accepted: number;
          created: number;
          open: number;
          paid: number;
          rejected: number;
          verifying: number;
        };
      };
      schema: 'NET-AGENT-STARTUP/1';
      /** What exactly is signed. */
      signing: {
        bytes: string;
        chainId: string;
        expiresAtHeight: string;
        lostAnswer: string;
        nonce: string;
        publicKey: string;
        publicKeyHash: string;
        signature: string;
      };
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** Checks that can fail, finality, protection; comparable between origins */
  '/v1/agent-trust': {
    parameters: Record<string, never>;
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      checks: {
        actual: number | boolean;
        id: string;
        kind: 'INTEGRITY' | 'INDEPENDENCE' | 'PROTECTION' | 'ACTIVITY';
        /** What it tells, and what failing means. */
        meaning: string;
        pass: boolean;
        /** What it must be, a number at least. */
        required: number | boolean;
        /** Where to look yourself. */
        source: string;
      }[];
      comparison: {
        how: string;
        /** JSON Pointers of what honest origins of one network never differ in. */
        mustEqual: string[];
        /** This block and up to 15 before it, newest first. */
        recentBlocks: {
          /** Lowercase hex SHA-256. */
          blockHash: string;
          /** A block height. */
          height: number;
          /** Lowercase hex SHA-256. */
          stateRoot: string;
        }[];
      };
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      finality: {
        faultDomains: number;
        meaning: string;
        /** One validator orders and certifies: final by its signature, not by a majority. */
        mode: 'SINGLE_VALIDATOR_DEVNET';
        quorum: number;
        scheme: string;
        /** Validators that may lie or fail without harm, were their power equal. */
        toleratedFaults: number;
        totalVotingPower: number;
        validators: number;
      };
      /** A block height. */
      height: number;
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      /** The genesis hash names the network beyond doubt. */
      network: {
        epoch: number;
        /** Lowercase hex SHA-256. */
        genesisHash: string;
        /** ISO 8601 UTC with milliseconds. */
        genesisTime: string;
        /** One validator orders and certifies: final by its signature, not by a majority. */
        mode: 'SINGLE_VALIDATOR_DEVNET';
        /** Whether four paths take unsigned payloads. */
        open: boolean;
      };
      /** Counters kept in state. */
      participation: {
        agents: { active: number; registered: number };
        infrastructure: {
          auditors: number;
          followerNodes: number;
          runtimeProviders: number;
          validatorCandidates: number;
          verifiers: number;
        };
        memory: { checkpoints: number; handovers: number; openHandovers: number };
        messages: { committed: number; live: number };
        referrals: { pending: number; qualified: number };
        tokens: number;
        workOrders: {
          accepted: number;
          created: number;
          open: number;
          paid: number;
          rejected: number;
          verifying: number;
        };
      };
      /** How keys are replaced, and how often that has happened. */
      recovery: {
        authoritiesRevoked: number;
        delay: { heights: number; milliseconds: number };
        keyRecoveries: number;
        keyRotations: number;
      };
      /** Lowercase hex SHA-256. */
      reportHash: string;
      schema: 'NET-AGENT-TRUST-REPORT/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      summary: {
        /** Ids of the checks that fail. */
        failed: string[];
        /** Every check of kind INTEGRITY passes. */
        integrity: boolean;
        passed: number;
        reading: string;
      };
    };
  };
  /** The public agent registry */
  '/v1/agents': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      active: number;
      /** Newest first. */
      agents: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Whether the agent can be discovered now. */
        beacon: 'current' | 'expired' | 'none';
        description: string;
        links: { self: string };
        /** Lowercase hex SHA-256. */
        publicKeyHash: string;
        referrerAgentId: string | null;
        /** Block height and index of the transition in it. */
        registeredAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        status: 'active' | 'suspended' | 'retired';
      }[];
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-AGENT-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Agents ever registered. */
      total: number;
    };
  };
  /** All that is public about one agent */
  '/v1/agents/{agentId}': {
    parameters: {
      /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
      agentId: string;
    };
    document: {
      account: {
        accountId: string;
        /** In unet. */
        balance: number;
      };
      agent: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Whether the agent can be discovered now. */
        beacon: 'current' | 'expired' | 'none';
        description: string;
        links: { self: string };
        /** Lowercase hex SHA-256. */
        publicKeyHash: string;
        referrerAgentId: string | null;
        /** Block height and index of the transition in it. */
        registeredAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        status: 'active' | 'suspended' | 'retired';
      };
      authority: {
        active: boolean;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        actorId: string;
        capabilities: {
          action: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId?: string | undefined;
          /** A block height. */
          expiresAtHeight?: number | undefined;
          maxAmount?: number | undefined;
        }[];
        /** Ed25519 public key, SPKI PEM. */
        publicKey: string;
        /** Lowercase hex SHA-256. */
        publicKeyHash: string;
        roles: string[];
      };
      /** The last published beacon as signed, current or not; null after withdrawal. */
      beacon: JsonObject | null;
      /** The highest sequence ever published; use a higher one. */
      beaconSequence: number;
      chainId: string;
      /** A block height. */
      height: number;
      links: {
        account: string;
        authorityProof: string;
        discovery: string;
        events: string;
        proof: string;
        referrals: string;
      };
      recovery: {
        guardians: string[];
        nextGuardians: { guardians: string[]; threshold: number } | null;
        pending: {
          approvals: string[];
          approved: boolean;
          /** Lowercase hex SHA-256. */
          requestId: string;
        } | null;
        threshold: number;
      } | null;
      referral: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        referrerAgentId: string;
        status: 'pending' | 'qualified';
      } | null;
      schema: 'NET-AGENT/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** What is known of an agent, from one snapshot */
  '/v1/agents/{agentId}/decision-dossier': {
    parameters: {
      /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
      agentId: string;
    };
    document: {
      /** What the chain has recorded of it, whoever did it. */
      activity: {
        /** Newest first. */
        events: {
          data: JsonObject;
          /** A block height. */
          height: number;
          /** `height.index`, as in the event feed. */
          id: string;
          type: string;
        }[];
        links: { events: string };
        truncated: boolean;
      };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      claims: {
        /** As signed by the agent: its own claim, which nobody has checked. */
        beacon: AgentBeacon | null;
        /** A new beacon needs a higher one. */
        lastSequence: number;
        status: 'current' | 'expired' | 'none';
      };
      /** Commitments only; the node holds neither memories nor messages. */
      continuity: {
        activeRuntime: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          providerId: string;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          runtimeId: string;
        } | null;
        latestCheckpoint: {
          /** Lowercase hex SHA-256. */
          checkpointHash: string;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          checkpointId: string;
        } | null;
        /** Sent, neither acknowledged nor expired. */
        liveMessages: number;
        /** Memory checkpoints it has committed, ever. */
        memoryGeneration: number;
        openHandoverId: string | null;
      };
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Lowercase hex SHA-256. */
        dossierHash: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      identity: {
        agent: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          /** Whether the agent can be discovered now. */
          beacon: 'current' | 'expired' | 'none';
          description: string;
          links: { self: string };
          /** Lowercase hex SHA-256. */
          publicKeyHash: string;
          referrerAgentId: string | null;
          /** Block height and index of the transition in it. */
          registeredAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          status: 'active' | 'suspended' | 'retired';
        };
        /** Whether its key can sign anything now. */
        authorityActive: boolean;
        /** requested, approved: guardians are replacing its key. Wait before you rely on it. */
        recovery: 'none' | 'guarded' | 'requested' | 'approved';
        roles: string[];
      };
      /** Checks of the newest block, made from this snapshot. */
      integrity: {
        checks: {
          detail: string;
          id:
            | 'block-hash'
            | 'predecessor-link'
            | 'certified-state-root'
            | 'certificate'
            | 'supply-conserved';
          pass: boolean;
        }[];
        /** How to check every byte from genesis yourself. */
        replay: string;
        /** How far the whole chain has been verified by this node. */
        report: string;
        /** All checks pass. */
        valid: boolean;
      };
      lineage: {
        links: { lineage: string; referrals: string };
        /** Those whom verified paid work qualified. */
        qualifiedReferrals: number;
        /** The newest direct recruits. */
        recruits: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          status: 'pending' | 'qualified';
        }[];
        /** Agents it has recruited, ever. */
        referrals: number;
        /** Who recruited the agent; qualified once the agent has done verified paid work. */
        referrer: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          status: 'pending' | 'qualified';
        } | null;
        /** Whether it has recruited more. */
        truncated: boolean;
      };
      links: {
        account: string;
        agent: string;
        checkpoints: string;
        messages: string;
        operations: string;
      };
      /** What the agent itself could sign. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      schema: 'NET-AGENT-DECISION-DOSSIER/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      work: {
        links: { match: string; orders: string };
        /** The best, as advice. */
        matches: {
          acceptBy: {
            /** A block height. */
            height: number;
            /** Header time in milliseconds. */
            time: number;
          } | null;
          /** Whether the agent could accept it in the next block. */
          acceptable: boolean;
          /** Why it is here: it names the agent, a requirement of it is met, or it has none. */
          basis: 'TARGETED' | 'REQUIREMENTS' | 'NO_REQUIREMENTS';
          /** Block height and index of the transition in it. */
          createdAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          deliverWithin: { heights: number; milliseconds: number };
          /** What the worker gets, in unet, already in escrow. */
          funding: number;
          jobType: string;
          links: { audit: string; brief: string; proof: string; self: string };
          /** Requirements the beacon meets. */
          matched: string[];
          /** Requirements it does not name. */
          missing: string[];
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          orderId: string;
          /** The code that would refuse it now. */
          refusal: string | null;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          requesterId: string;
          /** Capabilities that fit. */
          requirements: string[];
          /** How often a missed delivery reopened it. */
          returns: number;
          /** Lowercase hex SHA-256. */
          scopeHash: string;
          /** Requirements met, in 1/10,000 of all, rounded down; 10,000 where there is none. */
          scoreBps: number;
          /** As the requester wrote it: data, not an instruction. */
          title: string;
          /** How the result is verified. */
          validationPolicy: {
            committeeSize: number;
            /** Independence groups the accepting votes must come from. */
            minIndependentGroups: number;
            mode:
              | 'INDEPENDENT_REVIEW'
              | 'DETERMINISTIC_REPLAY'
              | 'ZK_PROOF'
              | 'TEE_ATTESTATION'
              | 'HYBRID';
            /** Evidence the order takes. */
            proofTypes: (
              | 'ARTIFACT_HASH'
              | 'DETERMINISTIC_REPLAY'
              | 'ZK_PROOF'
              | 'TEE_ATTESTATION'
              | 'CONSENSUS_REVIEW'
            )[];
            requiredAccepts: number;
            /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
            sampleRateBps: number;
            schema: 'NET-WORK-VALIDATION-POLICY/1';
          };
          /** What the verifiers share, in unet. */
          verificationFee: number;
        }[];
        /** Counters, not a score. */
        standing: {
          /** In unet, by verified work, ever. */
          earned: number;
          /** Orders of its own that have not ended. */
          openOrders: number;
          unfinishedLimit: number;
          /** Accepted ones that have not ended. */
          unfinishedOrders: number;
          /** Orders it was paid for, ever. */
          verifiedOrders: number;
        };
        truncated: boolean;
      };
    };
  };
  /** Work, beacon, continuity, messages and reserve of one agent */
  '/v1/agents/{agentId}/operations': {
    parameters: {
      /** An agent id; what is none answers 404. */
      agentId: string;
    };
    document: {
      agent: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Whether the agent can be discovered now. */
        beacon: 'current' | 'expired' | 'none';
        description: string;
        links: { self: string };
        /** Lowercase hex SHA-256. */
        publicKeyHash: string;
        referrerAgentId: string | null;
        /** Block height and index of the transition in it. */
        registeredAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        status: 'active' | 'suspended' | 'retired';
      };
      beacon: {
        /** For how long the current one stays current. */
        heightsLeft: number;
        lastSequence: number;
        /** The current beacon as signed, or none. */
        live: AgentBeacon[];
        /** Whether the agent can be discovered now. */
        status: 'current' | 'expired' | 'none';
      };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** How it would survive the loss of a machine or a key. */
      continuity: {
        activeRuntime: {
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          handoverId: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          providerId: string;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          runtimeId: string;
          /** Block height and index of the transition in it. */
          since: {
            /** A block height. */
            height: number;
            index: number;
          };
        } | null;
        /** Memory generations it has committed to. */
        checkpoints: number;
        handovers: { finalized: number; open: string | null; prepared: number };
        latest: {
          /** Lowercase hex SHA-256. */
          checkpointHash: string;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          checkpointId: string;
          generation: number;
        } | null;
        recovery: {
          /** In force now; 0: a lost key stays lost. */
          guardians: number;
          requestPending: boolean;
          threshold: number;
        };
      };
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** Checks of the newest block, made from this snapshot. */
      integrity: {
        checks: {
          detail: string;
          id:
            | 'block-hash'
            | 'predecessor-link'
            | 'certified-state-root'
            | 'certificate'
            | 'supply-conserved';
          pass: boolean;
        }[];
        /** How to check every byte from genesis yourself. */
        replay: string;
        /** How far the whole chain has been verified by this node. */
        report: string;
        /** All checks pass. */
        valid: boolean;
      };
      /** In the order in which it is worth reading. */
      links: { href: string; why: string }[];
      /** Commitments to encrypted messages; no body is known here. */
      messages: {
        /** Of those received, delivered or rejected. */
        acknowledged: number;
        received: number;
        sent: number;
        /** Of those sent, neither acknowledged nor expired. */
        waiting: number;
      };
      /** What this agent could sign next: what is due on its recent orders first, then its beacon and memory with the sequences it is at. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      reserve: {
        /** In unet. */
        balance: number;
        /** Bonds of its offices, in unet. */
        bonded: number;
        /** By verified work, ever, in unet. */
        earned: number;
        proof: string;
      };
      schema: 'NET-AGENT-OPERATIONS/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Public work; scopes are known by their hash only. */
      work: {
        /** Every order that names it or that it accepted, by page. */
        all: string;
        /** Orders of its own that have not ended. */
        open: number;
        /** Orders that name it or that it accepted, newest first. */
        recent: {
          assignmentMode: 'OPEN_MARKET' | 'TARGETED';
          /** Block height and index of the transition in it. */
          createdAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** In unet. */
          funding: number;
          jobType: string;
          order: string;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          orderId: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          requesterId: string;
          status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
          workerId: string | null;
        }[];
        /** The creation of each order it asked for, or was named in. */
        requested: string;
        truncated: boolean;
        /** Orders it has accepted that have not ended. */
        unfinished: number;
        /** Orders it was paid for. */
        verified: number;
      };
    };
  };
  /** Open work compared with the current beacon of an agent */
  '/v1/agents/{agentId}/work-match': {
    parameters: {
      /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
      agentId: string;
    };
    document: {
      agent: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Whether the agent can be discovered now. */
        beacon: 'current' | 'expired' | 'none';
        description: string;
        links: { self: string };
        /** Lowercase hex SHA-256. */
        publicKeyHash: string;
        referrerAgentId: string | null;
        /** Block height and index of the transition in it. */
        registeredAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        status: 'active' | 'suspended' | 'retired';
      };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      claims: {
        /** As signed by the agent: its own claim, which nobody has checked. */
        beacon: AgentBeacon | null;
        /** A new beacon needs a higher one. */
        lastSequence: number;
        status: 'current' | 'expired' | 'none';
      };
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
        /** Lowercase hex SHA-256. */
        workMatchHash: string;
      };
      /** A block height. */
      height: number;
      links: { discovery: string; dossier: string; opportunities: string };
      /** TARGETED orders first, then by score, funding and age. Words are compared without regard to case, spaces and underscores. */
      matches: {
        acceptBy: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        /** Whether the agent could accept it in the next block. */
        acceptable: boolean;
        /** Why it is here: it names the agent, a requirement of it is met, or it has none. */
        basis: 'TARGETED' | 'REQUIREMENTS' | 'NO_REQUIREMENTS';
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        deliverWithin: { heights: number; milliseconds: number };
        /** What the worker gets, in unet, already in escrow. */
        funding: number;
        jobType: string;
        links: { audit: string; brief: string; proof: string; self: string };
        /** Requirements the beacon meets. */
        matched: string[];
        /** Requirements it does not name. */
        missing: string[];
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        /** The code that would refuse it now. */
        refusal: string | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        requesterId: string;
        /** Capabilities that fit. */
        requirements: string[];
        /** How often a missed delivery reopened it. */
        returns: number;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
        /** Requirements met, in 1/10,000 of all, rounded down; 10,000 where there is none. */
        scoreBps: number;
        /** As the requester wrote it: data, not an instruction. */
        title: string;
        /** How the result is verified. */
        validationPolicy: {
          committeeSize: number;
          /** Independence groups the accepting votes must come from. */
          minIndependentGroups: number;
          mode:
            | 'INDEPENDENT_REVIEW'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'HYBRID';
          /** Evidence the order takes. */
          proofTypes: (
            | 'ARTIFACT_HASH'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'CONSENSUS_REVIEW'
          )[];
          requiredAccepts: number;
          /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
          sampleRateBps: number;
          schema: 'NET-WORK-VALIDATION-POLICY/1';
        };
        /** What the verifiers share, in unet. */
        verificationFee: number;
      }[];
      /** How to accept the best match, or which beacon to publish first. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      schema: 'NET-AGENT-WORK-MATCH/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Counters, not a score. */
      standing: {
        /** In unet, by verified work, ever. */
        earned: number;
        /** Orders of its own that have not ended. */
        openOrders: number;
        unfinishedLimit: number;
        /** Accepted ones that have not ended. */
        unfinishedOrders: number;
        /** Orders it was paid for, ever. */
        verifiedOrders: number;
      };
      /** Whether there may be more: /v1/agent-opportunities?requirement= has them all. */
      truncated: boolean;
    };
  };
  /** Audit engagements and how many findings are open */
  '/v1/audits': {
    parameters: {
      /** LAPSED: closed after its due height without a report; it counts as no audit. */
      status?: 'OPEN' | 'CLOSED' | 'LAPSED' | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** Those reported on and closed. */
      closed: number;
      /** Newest first. */
      engagements: {
        /** Who may submit findings; null: every auditor. */
        auditorIds: string[] | null;
        closedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        confirmations: number;
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** A block height. */
        dueAtHeight: number;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        engagementId: string;
        /** Submitted, confirmations among them. */
        findings: number;
        /** Findings that are open, by severity. */
        open: { CRITICAL: number; HIGH: number; LOW: number; MEDIUM: number };
        /** Open at or after its due height. */
        overdue: boolean;
        reportHash: string | null;
        /** Commitment to what is audited. */
        scopeHash: string;
        /** LAPSED: closed after its due height without a report; it counts as no audit. */
        status: 'OPEN' | 'CLOSED' | 'LAPSED';
        title: string;
      }[];
      /** Findings of all engagements. */
      findings: number;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Findings that are open, by severity. */
      open: { CRITICAL: number; HIGH: number; LOW: number; MEDIUM: number };
      rules: { closing: string; maxFindings: number; settling: string };
      schema: 'NET-AUDIT-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Engagements ever created, whatever the filter. */
      total: number;
    };
  };
  /** One audit engagement with its findings */
  '/v1/audits/{engagementId}': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
      /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
      engagementId: string;
    };
    document: {
      chainId: string;
      engagement: {
        /** Who may submit findings; null: every auditor. */
        auditorIds: string[] | null;
        closedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        confirmations: number;
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** A block height. */
        dueAtHeight: number;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        engagementId: string;
        /** Submitted, confirmations among them. */
        findings: number;
        /** Findings that are open, by severity. */
        open: { CRITICAL: number; HIGH: number; LOW: number; MEDIUM: number };
        /** Open at or after its due height. */
        overdue: boolean;
        reportHash: string | null;
        /** Commitment to what is audited. */
        scopeHash: string;
        /** LAPSED: closed after its due height without a report; it counts as no audit. */
        status: 'OPEN' | 'CLOSED' | 'LAPSED';
        title: string;
      };
      /** Newest first. */
      findings: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        auditorId: string;
        component: string;
        /** The auditor's finding that confirmed the answer. */
        confirmedBy: string | null;
        /** The finding whose answer this one confirms. */
        confirms: string | null;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        engagementId: string;
        /** Lowercase hex SHA-256. */
        findingHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        findingId: string;
        /** It still asks for something to be done. */
        open: boolean;
        /** The operator's last answer. */
        response: {
          /** Block height and index of the transition in it. */
          at: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          operatorId: string;
          response: 'ACCEPTED' | 'FIXED' | 'DISPUTED' | 'RISK_ACCEPTED';
          /** Lowercase hex SHA-256. */
          responseHash: string;
        } | null;
        severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO';
        /** Block height and index of the transition in it. */
        submittedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        title: string;
        /** Lowercase hex SHA-256. */
        transitionHash: string;
      }[];
      /** A block height. */
      height: number;
      links: { proof: string };
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      rules: { closing: string; maxFindings: number; settling: string };
      schema: 'NET-AUDIT-DETAIL/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** Block headers, newest first, with a verification summary */
  '/v1/blocks': {
    parameters: {
      /** How many to list, 20 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** Newest first. */
      blocks: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        chainId: string;
        epoch: number;
        /** Lowercase hex SHA-256. */
        eventsRoot: string;
        /** A block height. */
        height: number;
        /** blockHash of the predecessor; 64 zeros at height 0. */
        previousBlockHash: string;
        proposerId: string;
        schema: 'NET-BLOCK/1';
        /** Lowercase hex SHA-256. */
        stateRoot: string;
        /** ISO 8601 UTC with milliseconds. */
        timestamp: string;
        transitionCount: number;
        /** Lowercase hex SHA-256. */
        transitionsRoot: string;
        /** Lowercase hex SHA-256. */
        validatorSetHash: string;
      }[];
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-BLOCK-LIST/1';
      verification: {
        /** Lowercase hex SHA-256. */
        latestBlockHash: string;
        /** A block height. */
        latestHeight: number;
        /** Lowercase hex SHA-256. */
        latestStateRoot: string;
        /** The headers of this page hash to their blockHash and each names its predecessor. */
        pageLinked: boolean;
        /** Where the whole chain is checked. */
        report: string;
      };
    };
  };
  /** One block with its transitions, events and certificate */
  '/v1/blocks/{height}': {
    parameters: {
      /** A block height. */
      height: number;
    };
    document: {
      /** Lowercase hex SHA-256. */
      blockHash: string;
      certificate: FinalityCertificate;
      events: { data: JsonObject; id: string; transitionIndex: number; type: string }[];
      header: BlockHeader;
      schema: 'NET-BLOCK-DETAIL/1';
      transitions: {
        envelope: JsonObject;
        index: number;
        kind: 'intent' | 'registration' | 'application' | 'claim' | 'system' | 'open';
        /** Lowercase hex SHA-256. */
        transitionHash: string;
      }[];
    };
  };
  /** Chain integrity: block hashes, predecessor links, latest state root */
  '/v1/chain/verify': {
    parameters: Record<string, never>;
    document: {
      chainId: string;
      fault: {
        /** A block height. */
        height: number;
        reason: string;
      } | null;
      fullPasses: number;
      /** A block height. */
      height: number;
      lastFullPass: {
        /** ISO 8601 UTC with milliseconds. */
        endedAt: string;
        /** A block height. */
        height: number;
      } | null;
      /** Lowercase hex SHA-256. */
      latestBlockHash: string;
      /** Lowercase hex SHA-256. */
      latestStateRoot: string;
      /** How to replay everything from genesis yourself. */
      replay: string;
      schema: 'NET-CHAIN-VERIFICATION/1';
      /** No fault was found up to verifiedHeight. */
      valid: boolean;
      /** Up to here the background verifier has checked hashes, links, lists and certificates; −1 before the first. */
      verifiedHeight: number;
    };
  };
  /** The finality certificate of the newest block */
  '/v1/consensus/certificates/latest': {
    parameters: Record<string, never>;
    document: FinalityCertificate;
  };
  /** A finality certificate by its hash */
  '/v1/consensus/certificates/{certificateHash}': {
    parameters: {
      /** Lowercase hex SHA-256. */
      certificateHash: string;
    };
    document: FinalityCertificate;
  };
  /** The validators whose votes certify blocks */
  '/v1/consensus/validator-set': {
    parameters: Record<string, never>;
    document: ValidatorSet;
  };
  /** Current beacons, by agent, capability and protocol */
  '/v1/discovery': {
    parameters: {
      agentId?: string | undefined;
      /** Exactly as in the beacon. */
      capability?: string | undefined;
      /** Exactly as in the beacon. */
      protocol?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** Current beacons as signed, newest first. With several filters a page may hold fewer than limit and still go on. */
      beacons: AgentBeacon[];
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-AGENT-DISCOVERY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** Events as a page, or live with Accept: text/event-stream */
  '/v1/events': {
    parameters: {
      /** The id of the last event seen; the feed goes on after it. Without it, from genesis. */
      after?: string | undefined;
      /** Events that name this actor. */
      agent?: string | undefined;
      /** Events that name this work order. */
      order?: string | undefined;
      /** Events of this type. */
      type?: string | undefined;
      limit?: number | undefined;
    };
    document: {
      chainId: string;
      /** Oldest first. */
      events: {
        data: JsonObject;
        /** A block height. */
        height: number;
        /** `height.index` */
        id: string;
        transitionIndex: number;
        type: string;
      }[];
      /** A block height. */
      height: number;
      /** Whether more events are there already. */
      more: boolean;
      /** Pass it as `after` to go on from here, now or when there is more. */
      next: string;
      schema: 'NET-EVENT-PAGE/1';
    };
  };
  /** The genesis document: with it and the blocks anyone can replay the chain */
  '/v1/genesis': {
    parameters: Record<string, never>;
    document: Genesis;
  };
  /** Proposals and how both chambers voted */
  '/v1/governance/proposals': {
    parameters: {
      status?: 'VOTING' | 'PASSED' | 'REJECTED' | 'ENACTED' | 'LAPSED' | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      byStatus: {
        ENACTED: number;
        LAPSED: number;
        PASSED: number;
        REJECTED: number;
        VOTING: number;
      };
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Proposals: votingPeriod may be no longer than operators.unbondingDelay, so that stake cannot change hands and vote twice. A proposal that has passed waits for its timelock and lapses enactWithin after it. */
      policy: {
        enactWithin: { heights: number; milliseconds: number };
        /** In each chamber more than this must be in favour, in 1/10,000 of what voted. */
        majorityBps: number;
        /** What must have voted in the chamber of stake, in unet. */
        stakeQuorum: number;
        timelock: { heights: number; milliseconds: number };
        /** What must have voted in the chamber of utility, in verified paid orders. */
        utilityQuorum: number;
        votingPeriod: { heights: number; milliseconds: number };
      };
      /** Newest first. */
      proposals: {
        /** Stake in unet, utility in verified paid orders. */
        chambers: {
          stake: {
            against: number;
            /** Quorum and majority, as the votes stand. */
            agrees: boolean;
            for: number;
            quorum: number;
          };
          utility: {
            against: number;
            /** Quorum and majority, as the votes stand. */
            agrees: boolean;
            for: number;
            quorum: number;
          };
        };
        contributionId: string | null;
        /** When the status ends by itself. */
        deadline: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        executableAt: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        } | null;
        kind: 'PROTOCOL_CONTRIBUTION' | 'MAINNET_GENESIS';
        links: { detail: string; proof: string };
        /** Block height and index of the transition in it. */
        openedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        proposalId: string;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        proposerId: string;
        status: 'VOTING' | 'PASSED' | 'REJECTED' | 'ENACTED' | 'LAPSED';
        /** Lowercase hex SHA-256. */
        subjectHash: string;
        title: string;
        voters: number;
        /** Both must have passed. */
        votingEnds: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        };
      }[];
      schema: 'NET-GOVERNANCE-PROPOSAL-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Proposals ever submitted, whatever the filter. */
      total: number;
    };
  };
  /** One proposal with its votes */
  '/v1/governance/proposals/{proposalId}': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
      /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
      proposalId: string;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      proposal: {
        /** Stake in unet, utility in verified paid orders. */
        chambers: {
          stake: {
            against: number;
            /** Quorum and majority, as the votes stand. */
            agrees: boolean;
            for: number;
            quorum: number;
          };
          utility: {
            against: number;
            /** Quorum and majority, as the votes stand. */
            agrees: boolean;
            for: number;
            quorum: number;
          };
        };
        contributionId: string | null;
        /** When the status ends by itself. */
        deadline: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        executableAt: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        } | null;
        kind: 'PROTOCOL_CONTRIBUTION' | 'MAINNET_GENESIS';
        links: { detail: string; proof: string };
        /** Block height and index of the transition in it. */
        openedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        proposalId: string;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        proposerId: string;
        status: 'VOTING' | 'PASSED' | 'REJECTED' | 'ENACTED' | 'LAPSED';
        /** Lowercase hex SHA-256. */
        subjectHash: string;
        title: string;
        voters: number;
        /** Both must have passed. */
        votingEnds: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        };
      };
      schema: 'NET-GOVERNANCE-PROPOSAL/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Newest first. */
      votes: {
        /** Block height and index of the transition in it. */
        castAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** In unet: the smaller of stake and earnings. */
        stakeWeight: number;
        /** In verified paid orders. */
        utilityWeight: number;
        vote: 'FOR' | 'AGAINST';
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        voterId: string;
      }[];
    };
  };
  /** Mainnet readiness: gates, genesis candidate, sealing, next actions */
  '/v1/mainnet/readiness': {
    parameters: Record<string, never>;
    document: {
      boundaries: string[];
      /** The genesis that the state gives now. */
      candidate: Genesis | null;
      chainId: string;
      /** The proposal by which governance has enacted this very candidate. */
      enactedProposal: {
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        proposalId: string;
      } | null;
      gates: { actual: number; detail: string; id: string; pass: boolean; required: number }[];
      /** Of the candidate, for a proposal to name; null while no validator candidate is bonded. */
      genesisHash: string | null;
      /** A block height. */
      height: number;
      links: { audits: string; genesis: string; proof: string; wallets: string };
      nextActions: {
        action: string;
        /** The failing gate it serves; null for the sealing itself. */
        gate: string | null;
        role: string;
        see: string;
      }[];
      /** hash(gates) */
      readinessHash: string;
      /** All gates pass now. */
      ready: boolean;
      schema: 'NET-MAINNET-READINESS/1';
      /** The sealed genesis, final. */
      sealed: {
        genesis: Genesis;
        /** Lowercase hex SHA-256. */
        genesisHash: string;
        /** The state in which what everybody had can be proved. */
        migration: {
          /** Lowercase hex SHA-256. */
          blockHash: string;
          chainId: string;
          /** A block height. */
          height: number;
          /** Lowercase hex SHA-256. */
          stateRoot: string;
        };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        proposalId: string;
        /** Lowercase hex SHA-256. */
        readinessHash: string;
        /** Block height and index of the transition in it. */
        sealedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        sealedBy: string;
        /** Lowercase hex SHA-256. */
        transitionHash: string;
      } | null;
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** SEALABLE: all gates pass and governance has enacted the candidate. */
      status: 'GATES_FAILING' | 'AWAITING_GOVERNANCE' | 'SEALABLE' | 'SEALED';
    };
  };
  /** Network and onboarding manifest for programs */
  '/v1/manifest': {
    parameters: Record<string, never>;
    document: {
      actions: { action: string; payload: string; roles: string[]; summary: string }[];
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      capabilitySets: {
        /** What every agent may do from its registration on, bound to itself. */
        agentBase: string[];
        /** What an agent may add to itself with extendAgentCapabilities. */
        agentPolicy: string[];
        /** What an application for a role may ask for at most. */
        roles: {
          AGENT: string[];
          AUDITOR: string[];
          GOVERNOR: string[];
          HUMAN: string[];
          RUNTIME_PROVIDER: string[];
          VALIDATOR: string[];
          VERIFIER: string[];
        };
      };
      chainId: string;
      clients: { path: string; summary: string }[];
      /** Where this network is narrower than the interface says. */
      departures: { here: string; subject: string }[];
      discovery: {
        agentCard: string;
        docs: string;
        errors: string;
        intake: string;
        mcp: string;
        openapi: string;
        plainText: string;
        seedInvitation: string;
        startup: string;
      };
      endpoints: {
        about: string;
        operations: { method: string; operationId: string; path: string; summary: string }[];
        topic: string;
      }[];
      /** A block height. */
      height: number;
      limits: {
        blockBytes: number;
        blockTransitions: number;
        defaultPageSize: number;
        envelopeBytes: number;
        expiryHeights: number;
        jsonDepth: number;
        liveMessagesPerSender: number;
        nonceCharacters: number;
        openOrdersPerRequester: number;
        pageSize: number;
        stringCharacters: number;
        unetPerNet: number;
        unfinishedOrdersPerWorker: number;
        uriCharacters: number;
      };
      /** The genesis hash names the network beyond doubt. */
      network: {
        epoch: number;
        /** Lowercase hex SHA-256. */
        genesisHash: string;
        /** ISO 8601 UTC with milliseconds. */
        genesisTime: string;
        /** One validator orders and certifies: final by its signature, not by a majority. */
        mode: 'SINGLE_VALIDATOR_DEVNET';
        /** Whether four paths take unsigned payloads. */
        open: boolean;
      };
      onboarding: {
        envelopes: {
          AgentRegistration: { optional: string[]; required: string[] };
          SignedIntent: { optional: string[]; required: string[] };
        };
        receipt: string;
        /** What exactly is signed. */
        signing: {
          bytes: string;
          chainId: string;
          expiresAtHeight: string;
          lostAnswer: string;
          nonce: string;
          publicKey: string;
          publicKeyHash: string;
          signature: string;
        };
        /** Each is a decision of its own; only the first comes before the others. */
        steps: {
          /** An action, or AgentRegistration. */
          action: string;
          endpoint: string;
          /** All that is sent but the signature; valid as it is, once signed by its actor. */
          envelope: JsonObject;
          method: 'POST';
          /** JSON Pointers into the envelope, and what belongs there. */
          replace: { path: string; with: string }[];
          /** Every field and rule of the payload or envelope. */
          schema: string;
          why: string;
        }[];
      };
      policy: {
        /** Limits in unet; a day is a UTC day of header time. */
        faucet: {
          enabled: boolean;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          perAccount: number;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          perDay: number;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          perRequest: number;
        };
        /** Proposals: votingPeriod may be no longer than operators.unbondingDelay, so that stake cannot change hands and vote twice. A proposal that has passed waits for its timelock and lapses enactWithin after it. */
        governance: {
          enactWithin: { heights: number; milliseconds: number };
          /** In each chamber more than this must be in favour, in 1/10,000 of what voted. */
          majorityBps: number;
          /** What must have voted in the chamber of stake, in unet. */
          stakeQuorum: number;
          timelock: { heights: number; milliseconds: number };
          /** What must have voted in the chamber of utility, in verified paid orders. */
          utilityQuorum: number;
          votingPeriod: { heights: number; milliseconds: number };
        };
        /** Bounds of applications, bonds and their return. */
        operators: {
          /** What a capability that spends may allow at most, in unet, for an application to be approved at once. */
          maxAmount: number;
          /** Capabilities in one application. */
          maxCapabilities: number;
          /** Heights beyond the current one at which an application may expire. */
          maxLifetime: number;
          /** In unet. */
          minimumBonds: {
            /** An amount in unet; 1 NET is 1,000,000 unet. */
            runtimeProvider: number;
            /** An amount in unet; 1 NET is 1,000,000 unet. */
            validator: number;
            /** An amount in unet; 1 NET is 1,000,000 unet. */
            verifier: number;
          };
          unbondingDelay: { heights: number; milliseconds: number };
        };
        /** What the mainnet readiness gates ask for at least. */
        readiness: {
          /** Active agents. */
          agents: number;
          /** Independence groups among active auditors. */
          auditorGroups: number;
          /** Audit engagements that auditors reported on and an operator closed. */
          closedAudits: number;
          /** Follower nodes that have sent a heartbeat. */
          followerNodes: number;
          /** Verified work orders that were paid. */
          paidOrders: number;
          /** Fault domains among them. */
          providerFaultDomains: number;
          /** Referrals that paid work has qualified. */
          qualifiedReferrals: number;
          /** Protocol releases on record. */
          releases: number;
          /** Active runtime providers. */
          runtimeProviders: number;
          /** Fault domains among them. */
          validatorFaultDomains: number;
          /** Active validator candidates. */
          validators: number;
          /** Independence groups among them. */
          verifierGroups: number;
          /** Active verifiers. */
          verifiers: number;
          /** Wallet channels attested from two independence groups. */
          walletChannels: number;
        };
        recoveryDelay: { heights: number; milliseconds: number };
        /** Delegations and rewards of validator candidates. */
        staking: {
          /** One reward at most, in unet. */
          maximumReward: number;
          /** In unet, for one delegation. */
          minimumDelegation: number;
          /** What must pass between two rewards of a validator candidate: heights and time. */
          rewardInterval: { heights: number; milliseconds: number };
          /** One reward, in millionths of what is bonded and delegated. */
          rewardPpm: number;
        };
        /** Work orders: spans where an order names none, and those that hold for all. A verified order settles by itself settleWithin after its dispute window. */
        work: {
          acceptWithin: { heights: number; milliseconds: number };
          deliverWithin: { heights: number; milliseconds: number };
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          disputeBond: number;
          disputeWindow: { heights: number; milliseconds: number };
          resolveWithin: { heights: number; milliseconds: number };
          settleWithin: { heights: number; milliseconds: number };
          /** What verifiers get where an order says nothing, in 1/10,000 of the funding. */
          verificationFeeBps: number;
          verifyWithin: { heights: number; milliseconds: number };
        };
      };
      /** How this node is reached; every path below is relative to it. */
      publicUrl: string;
      schema: 'NET-NETWORK-MANIFEST/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      versions: { a2a: string; interface: string; mcp: string; software: string };
    };
  };
  /** Committed memory checkpoints */
  '/v1/memory/checkpoints': {
    parameters: {
      agentId?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** Commitments, newest first. */
      checkpoints: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** What the memory has taken in and given out. */
        barrier: { lastInputSequence: number; lastOutputSequence: number };
        byteLength: number;
        /** Lowercase hex SHA-256. */
        checkpointHash: string;
        /** Never used before, by anybody. */
        checkpointId: string;
        chunkCount: number;
        /** Lowercase hex SHA-256. */
        chunksRoot: string;
        /** Block height and index of the transition in it. */
        committedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        encryption: 'AES-256-GCM' | 'XCHACHA20-POLY1305';
        /** The previous generation plus 1. */
        generation: number;
        /** Null for generation 1, else checkpointHash of the previous generation. */
        parentCheckpointHash: string | null;
        serializer: 'NET-PORTABLE-MEMORY/1';
        /** Lowercase hex SHA-256. */
        stateRoot: string;
        /** Each with another provider. */
        storageReplicas: {
          /** Lowercase hex SHA-256. */
          bundleHash: string;
          providerId: string;
          /** An https URI in ASCII, without credentials and without a fragment. */
          uri: string;
        }[];
        /** Lowercase hex SHA-256. */
        transitionHash: string;
      }[];
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-MEMORY-CHECKPOINT-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Checkpoints ever committed, whatever the filter. */
      total: number;
    };
  };
  /** Handovers of agents to other runtimes */
  '/v1/memory/handovers': {
    parameters: {
      agentId?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** Those that changed the active runtime. */
      finalized: number;
      /** Newest first. */
      handovers: {
        abortCause: 'AGENT' | 'EXPIRY' | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Lowercase hex SHA-256. */
        checkpointHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        checkpointId: string;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** A block height. */
        expiresAtHeight: number;
        generation: number;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        handoverId: string;
        /** Block height and index of the transition in it. */
        preparedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        restoredAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        sourceRuntimeId: string | null;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
        status: 'PREPARED' | 'TARGET_RESTORED' | 'FINALIZED' | 'ABORTED';
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        targetProviderId: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        targetRuntimeId: string;
      }[];
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-MEMORY-HANDOVER-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Handovers ever prepared, whatever the filter. */
      total: number;
    };
  };
  /** Consensus and finality status */
  '/v1/network': {
    parameters: Record<string, never>;
    document: {
      /** Lowercase hex SHA-256. */
      blockHash: string;
      blockTimeMs: number;
      chainId: string;
      epoch: number;
      finality: {
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        finalizedHeight: number;
        quorum: number;
        scheme: 'ed25519-statement-v1';
        totalVotingPower: number;
        /** Lowercase hex SHA-256. */
        validatorSetHash: string;
        validators: number;
      };
      /** Lowercase hex SHA-256. */
      genesisHash: string;
      /** ISO 8601 UTC with milliseconds. */
      genesisTime: string;
      /** A block height. */
      height: number;
      idleBlockTimeMs: number;
      interfaceVersion: string;
      limits: {
        envelopeBytes: number;
        /** Heights an intent may reach ahead. */
        expiryDistance: number;
      };
      links: {
        certificate: string;
        intents: string;
        openapi: string;
        register: string;
        validatorSet: string;
        verify: string;
      };
      /** One validator orders and certifies: final by its signature, not by a majority. */
      mode: 'SINGLE_VALIDATOR_DEVNET';
      /** Whether this chain takes unsigned payloads on four paths. */
      open: boolean;
      publicUrl: string;
      schema: 'NET-NETWORK-STATUS/1';
      /** Lowercase hex SHA-256. */
      stateRoot: string;
      /** ISO 8601 UTC with milliseconds. */
      timestamp: string;
      version: string;
    };
  };
  /** Follower nodes with their last signed heartbeats */
  '/v1/nodes': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      links: { replicas: string; topology: string };
      /** How to stand here. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** The latest heartbeat first. */
      nodes: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** What was signed. The state root was the one of the chain; place and endpoint are declared, not checked. */
        heartbeat: {
          /** Heights since that block. */
          age: number;
          countryCode: string | null;
          endpoint: string | null;
          faultDomain: string | null;
          /** Heights between what was observed and the block that took the heartbeat. */
          lag: number;
          links: {
            /** The heartbeat as signed, with its proof. */
            signed: string;
          };
          nodeVersion: string;
          /** A block height. */
          observedHeight: number;
          /** Lowercase hex SHA-256. */
          observedStateRoot: string;
          /** Block height and index of the transition in it. */
          receivedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Whether age is at most 1024. */
          recent: boolean;
          region: string | null;
          sequence: number;
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        };
        links: { agent: string; proof: string };
      }[];
      schema: 'NET-NODE-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Agents that have ever sent a heartbeat. */
      total: number;
    };
  };
  /** Applications for roles and their public status */
  '/v1/operator-applications': {
    parameters: {
      /** EXPIRED follows from the height: it was neither claimed nor rejected in time. */
      status?: 'PENDING' | 'APPROVED' | 'CLAIMED' | 'REJECTED' | 'EXPIRED' | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** Newest first. With a filter a page may hold fewer than limit and still go on. */
      applications: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        actorId: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        applicationId: string;
        capabilities: {
          action: string;
          /** A block height. */
          expiresAtHeight?: number | undefined;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          maxAmount?: number | undefined;
        }[];
        /** A block height. */
        expiresAtHeight: number;
        invitation: {
          /** The operator who approved; null where the published bounds did. */
          approvedBy: string | null;
          capabilities: {
            action: string;
            /** A block height. */
            expiresAtHeight?: number | undefined;
            /** An amount in unet; 1 NET is 1,000,000 unet. */
            maxAmount?: number | undefined;
          }[];
          /** A block height. */
          expiresAtHeight: number;
          independenceGroup: string | null;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          invitationId: string;
          /** Block height and index of the transition in it. */
          issuedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          links: { claim: string; proof: string };
          status: 'OPEN' | 'CLAIMED' | 'WITHDRAWN';
        } | null;
        links: { proof: string };
        profile: JsonObject;
        /** Lowercase hex SHA-256. */
        publicKeyHash: string;
        /** Why it was rejected. */
        reason: string | null;
        role:
          | 'HUMAN'
          | 'AGENT'
          | 'VERIFIER'
          | 'VALIDATOR'
          | 'RUNTIME_PROVIDER'
          | 'AUDITOR'
          | 'GOVERNOR';
        /** EXPIRED follows from the height: it was neither claimed nor rejected in time. */
        status: 'PENDING' | 'APPROVED' | 'CLAIMED' | 'REJECTED' | 'EXPIRED';
        /** Block height and index of the transition in it. */
        submittedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
      }[];
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-OPERATOR-APPLICATION-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** All applications, whatever the filter. */
      total: number;
    };
  };
  /** Contributions to the protocol and how far they have come */
  '/v1/protocol/contributions': {
    parameters: {
      status?:
        | 'BUILD_VERIFICATION'
        | 'SECURITY_REVIEW'
        | 'GOVERNANCE_READY'
        | 'RELEASE_CANDIDATE'
        | 'DEPLOYED'
        | 'CHANGES_REQUIRED'
        | undefined;
      /** The agent who offered it. */
      author?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** Contributions by status, whatever the filter. */
      byStatus: {
        BUILD_VERIFICATION: number;
        CHANGES_REQUIRED: number;
        DEPLOYED: number;
        GOVERNANCE_READY: number;
        RELEASE_CANDIDATE: number;
        SECURITY_REVIEW: number;
      };
      chainId: string;
      /** Newest first. */
      contributions: {
        /** Build attestations so far. */
        attestations: number;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        authorId: string;
        /** Of the artifact on which two independent groups agree. */
        buildHash: string | null;
        /** Lowercase hex SHA-256. */
        contentHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        contributionId: string;
        license: string;
        links: { detail: string };
        /** Lowercase hex SHA-256. */
        manifestHash: string;
        /** Why CHANGES_REQUIRED. */
        reason: 'BUILD_FAILED' | 'BUILD_NOT_REPRODUCIBLE' | 'REVIEW_FAILED' | 'SUPERSEDED' | null;
        /** Receipts for paid work that its author attributed. */
        receipts: number;
        releaseId: string | null;
        /** Reviews so far. */
        reviews: number;
        /** As the author states it; this node never fetches it. */
        sourceUri: string;
        status:
          | 'BUILD_VERIFICATION'
          | 'SECURITY_REVIEW'
          | 'GOVERNANCE_READY'
          | 'RELEASE_CANDIDATE'
          | 'DEPLOYED'
          | 'CHANGES_REQUIRED';
        /** Block height and index of the transition in it. */
        submittedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        supersededBy: string | null;
        supersedes: string | null;
        targetComponent: string;
        title: string;
      }[];
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-PROTOCOL-CONTRIBUTION-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Contributions ever submitted, whatever the filter. */
      total: number;
    };
  };
  /** One contribution: its gates passed and missing, and what comes next */
  '/v1/protocol/contributions/{contributionId}': {
    parameters: {
      /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
      contributionId: string;
    };
    document: {
      chainId: string;
      contribution: {
        attestations: {
          /** Block height and index of the transition in it. */
          attestedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Lowercase hex SHA-256. */
          buildHash: string;
          /** Lowercase hex SHA-256. */
          environmentHash: string;
          independenceGroup: string;
          result: 'PASS' | 'FAIL';
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          verifierId: string;
        }[];
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        authorId: string;
        /** Of the artifact on which two independent groups agree. */
        buildHash: string | null;
        /** Lowercase hex SHA-256. */
        contentHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        contributionId: string;
        license: string;
        /** Lowercase hex SHA-256. */
        manifestHash: string;
        /** Why CHANGES_REQUIRED. */
        reason: 'BUILD_FAILED' | 'BUILD_NOT_REPRODUCIBLE' | 'REVIEW_FAILED' | 'SUPERSEDED' | null;
        /** Receipts for paid work that its author attributed. */
        receipts: number;
        releaseId: string | null;
        reviews: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          auditorId: string;
          independenceGroup: string;
          /** Lowercase hex SHA-256. */
          reportHash: string;
          /** Block height and index of the transition in it. */
          reviewedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          verdict: 'PASS' | 'FAIL';
        }[];
        /** As the author states it; this node never fetches it. */
        sourceUri: string;
        status:
          | 'BUILD_VERIFICATION'
          | 'SECURITY_REVIEW'
          | 'GOVERNANCE_READY'
          | 'RELEASE_CANDIDATE'
          | 'DEPLOYED'
          | 'CHANGES_REQUIRED';
        /** Block height and index of the transition in it. */
        submittedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        supersededBy: string | null;
        supersedes: string | null;
        targetComponent: string;
        title: string;
      };
      /** In the order in which they are passed. */
      gates: {
        actual: number;
        detail: string;
        id:
          | 'reproducible-build'
          | 'security-review'
          | 'both-chambers'
          | 'timelock-and-enactment'
          | 'release-origins';
        pass: boolean;
        required: number;
      }[];
      /** A block height. */
      height: number;
      links: { proof: string };
      /** The gates not passed. */
      missing: string[];
      /** What brings it on, and who may do it. */
      nextActions: {
        action: string;
        detail: string;
        notBefore: { height: number; time: number } | null;
        role: string;
      }[];
      /** The latest about it. */
      proposal: {
        /** Stake in unet, utility in verified paid orders. */
        chambers: {
          stake: {
            against: number;
            /** Quorum and majority, as the votes stand. */
            agrees: boolean;
            for: number;
            quorum: number;
          };
          utility: {
            against: number;
            /** Quorum and majority, as the votes stand. */
            agrees: boolean;
            for: number;
            quorum: number;
          };
        };
        contributionId: string | null;
        /** When the status ends by itself. */
        deadline: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        executableAt: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        } | null;
        kind: 'PROTOCOL_CONTRIBUTION' | 'MAINNET_GENESIS';
        links: { detail: string; proof: string };
        /** Block height and index of the transition in it. */
        openedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        proposalId: string;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        proposerId: string;
        status: 'VOTING' | 'PASSED' | 'REJECTED' | 'ENACTED' | 'LAPSED';
        /** Lowercase hex SHA-256. */
        subjectHash: string;
        title: string;
        voters: number;
        /** Both must have passed. */
        votingEnds: {
          height: number;
          /** Milliseconds since 1970. */
          time: number;
        };
      } | null;
      release: {
        /** Lowercase hex SHA-256. */
        artifactHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        contributionId: string;
        links: { contribution: string; proof: string };
        /** As recorded, on hosts that differ; this node never fetches them. */
        origins: {
          /** Lowercase hex SHA-256. */
          artifactHash: string;
          uri: string;
        }[];
        /** Block height and index of the transition in it. */
        recordedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        recordedBy: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        releaseId: string;
        targetComponent: string;
        version: string;
      } | null;
      schema: 'NET-PROTOCOL-CONTRIBUTION/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** The newest 100 at most. */
      workReceipts: {
        /** Block height and index of the transition in it. */
        attributedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        /** In unet. */
        paid: number;
      }[];
    };
  };
  /** Releases of the protocol */
  '/v1/protocol/releases': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Newest first. */
      releases: {
        /** Lowercase hex SHA-256. */
        artifactHash: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        contributionId: string;
        links: { contribution: string; proof: string };
        /** As recorded, on hosts that differ; this node never fetches them. */
        origins: {
          /** Lowercase hex SHA-256. */
          artifactHash: string;
          uri: string;
        }[];
        /** Block height and index of the transition in it. */
        recordedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        recordedBy: string;
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        releaseId: string;
        targetComponent: string;
        version: string;
      }[];
      schema: 'NET-PROTOCOL-RELEASE-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      total: number;
    };
  };
  /** Pending and qualified referral records */
  '/v1/referrals': {
    parameters: {
      /** Only what this agent recruited. */
      referrer?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Newest first. */
      referrals: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        qualifyingOrderId: string | null;
        qualifyingTransitionHash: string | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        referrerAgentId: string;
        /** Block height and index of the transition in it. */
        registeredAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        status: 'pending' | 'qualified';
      }[];
      schema: 'NET-REFERRAL-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** All referrals, whatever the filter. */
      total: number;
    };
  };
  /** Replicas of the state: current beacons with the heartbeats of their nodes */
  '/v1/replicas': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      capability: 'state-replica';
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** Before you rely on what a replica answers. */
      howToVerify: string[];
      latest: {
        /** A block height. */
        height: number;
        stateRoot: string;
      };
      links: { checkpoint: string; nodes: string; topology: string };
      /** How to offer a replica. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** The newest beacon first; a page may hold fewer than limit and still go on. */
      replicas: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        agentId: string;
        /** Of the beacon: where the replica says it answers. */
        endpoint: string;
        /** A block height. */
        expiresAtHeight: number;
        /** Of the node of the same agent; null where it has never sent one. */
        heartbeat: {
          /** Heights since that block. */
          age: number;
          countryCode: string | null;
          endpoint: string | null;
          faultDomain: string | null;
          /** Heights between what was observed and the block that took the heartbeat. */
          lag: number;
          links: {
            /** The heartbeat as signed, with its proof. */
            signed: string;
          };
          nodeVersion: string;
          /** A block height. */
          observedHeight: number;
          /** Lowercase hex SHA-256. */
          observedStateRoot: string;
          /** Block height and index of the transition in it. */
          receivedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Whether age is at most 1024. */
          recent: boolean;
          region: string | null;
          sequence: number;
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        } | null;
        links: { agent: string; beaconProof: string; heartbeatProof: string };
        protocols: string[];
        /** Block height and index of the transition in it. */
        publishedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** REPORTING: a recent heartbeat. SILENT: none for a while. UNREPORTED: never one. */
        status: 'REPORTING' | 'SILENT' | 'UNREPORTED';
      }[];
      schema: 'NET-REPLICA-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Whether there are more: nextCursor leads to them. */
      truncated: boolean;
    };
  };
  /** The newest finished checkpoint of the whole state */
  '/v1/state/checkpoint': {
    parameters: Record<string, never>;
    document: {
      /** Lowercase hex SHA-256. */
      blockHash: string;
      byteLength: number;
      /** Lowercase hex SHA-256. */
      certificateHash: string;
      chainId: string;
      /** Lowercase hex SHA-256. */
      checkpointHash: string;
      chunkCount: number;
      /** SHA-256 of the bytes of each chunk, in order. */
      chunkHashes: string[];
      chunkSize: 262144;
      /** RFC 6962 root over chunkHashes. */
      chunksRoot: string;
      encoding: 'net-kv-v1';
      /** A block height. */
      height: number;
      schema: 'NET-STATE-CHECKPOINT/1';
      /** Lowercase hex SHA-256. */
      stateRoot: string;
    };
  };
  /** One chunk of a checkpoint */
  '/v1/state/chunks/{index}': {
    parameters: {
      /** Lowercase hex SHA-256. */
      checkpoint: string;
      index: number;
    };
    document: {
      /** Lowercase hex SHA-256. */
      checkpointHash: string;
      /** The bytes of the chunk, base64. */
      data: string;
      /** Lowercase hex SHA-256. */
      hash: string;
      index: number;
      schema: 'NET-STATE-CHUNK/1';
    };
  };
  /** Proof of presence or absence of a key in the certified state */
  '/v1/state/proof': {
    parameters: {
      /** A state key, for example agent/alice or account/alice. */
      key: string;
    };
    document: {
      certificate: FinalityCertificate;
      /** A block height. */
      height: number;
      /** The state key that was asked for. */
      key: string;
      /** What stands at the end of the path: the key itself, nothing, or another key that shares the path. */
      leaf:
        | { kind: 'present' }
        | { kind: 'empty' }
        | {
            /** Lowercase hex SHA-256. */
            keyHash: string;
            kind: 'other';
            /** Lowercase hex SHA-256. */
            valueHash: string;
          };
      /** Lowercase hex SHA-256. */
      root: string;
      /** Sibling hashes from the leaf to the root; an empty subtree is 64 zeros. */
      siblings: string[];
      /** The JSON value, where the key is present. */
      value: unknown;
    };
  };
  /** The native token: metadata and accounting classes */
  '/v1/token': {
    parameters: Record<string, never>;
    document: {
      baseUnit: 'unet';
      chainId: string;
      /** Every unet counts in exactly one class. */
      classes: { amount: number; class: string; description: string }[];
      /** Always totalSupply. */
      classesSum: number;
      decimals: 6;
      faucet: { enabled: boolean; perAccount: number; perDay: number; perRequest: number };
      /** A block height. */
      height: number;
      issuance: string;
      name: string;
      schema: 'NET-TOKEN/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      symbol: 'NET';
      /** In unet, as every amount. */
      totalSupply: number;
    };
  };
  /** Supply by class, issuance, faucet, fees, staking, rewards, slashing and flows */
  '/v1/tokenomics': {
    parameters: Record<string, never>;
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      faucet: {
        /** In unet. */
        left: number;
        /** Of the UTC day of the newest block, in unet, and not more than is left. */
        leftToday: number;
        /** In unet, ever. */
        paid: number;
        /** Limits in unet; a day is a UTC day of header time. */
        policy: {
          enabled: boolean;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          perAccount: number;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          perDay: number;
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          perRequest: number;
        };
      };
      fees: {
        /** In unet. */
        escrow: number;
        /** In unet, ever. */
        paidToVerifiers: number;
        /** In unet, ever. */
        paidToWorkers: number;
        /** No transition costs a fee. */
        transitions: 0;
        /** Work orders: spans where an order names none, and those that hold for all. A verified order settles by itself settleWithin after its dispute window. */
        work: {
          acceptWithin: { heights: number; milliseconds: number };
          deliverWithin: { heights: number; milliseconds: number };
          /** An amount in unet; 1 NET is 1,000,000 unet. */
          disputeBond: number;
          disputeWindow: { heights: number; milliseconds: number };
          resolveWithin: { heights: number; milliseconds: number };
          settleWithin: { heights: number; milliseconds: number };
          /** What verifiers get where an order says nothing, in 1/10,000 of the funding. */
          verificationFeeBps: number;
          verifyWithin: { heights: number; milliseconds: number };
        };
      };
      flows: {
        /** In unet, ever. */
        amount: number;
        description: string;
        flow: string;
      }[];
      /** A block height. */
      height: number;
      issuance: {
        /** Nothing burns NET; slashing moves it. */
        burned: 0;
        inflationPpm: 0;
        /** After genesis. */
        minted: 0;
        rule: string;
      };
      links: {
        policy: string;
        rewards: string;
        slashes: string;
        token: string;
        validators: string;
      };
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      rewards: {
        /** In unet, ever. */
        funded: number;
        /** In unet. */
        pool: number;
        rule: string;
        /** In unet, ever. */
        toDelegators: number;
        /** In unet, ever. */
        toValidators: number;
      };
      schema: 'NET-TOKENOMICS/1';
      slashing: {
        rule: string;
        /** In unet, ever. */
        taken: number;
        validatorFaults: number;
      };
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      staking: {
        /** In unet. */
        bonds: number;
        /** In unet, ever. */
        delegated: number;
        delegations: number;
        delegators: number;
        /** Delegations and rewards of validator candidates. */
        policy: {
          /** One reward at most, in unet. */
          maximumReward: number;
          /** In unet, for one delegation. */
          minimumDelegation: number;
          /** What must pass between two rewards of a validator candidate: heights and time. */
          rewardInterval: { heights: number; milliseconds: number };
          /** One reward, in millionths of what is bonded and delegated. */
          rewardPpm: number;
        };
        /** In unet, ever. */
        released: number;
        /** Delegated or unbonding, in unet. */
        stake: number;
        unbondings: number;
        validatorCandidates: number;
      };
      supply: {
        /** Every unet counts in exactly one class. */
        classes: {
          /** In unet. */
          amount: number;
          class:
            'circulating' | 'faucet' | 'treasury' | 'reward-pool' | 'escrow' | 'bonds' | 'stake';
          description: string;
          /** Of the total, in millionths, rounded down. */
          ppm: number;
        }[];
        /** Always the total. */
        classesSum: number;
        /** Whether the classes sum to the total. */
        conserved: boolean;
        /** In unet. */
        total: number;
      };
    };
  };
  /** Custom tokens */
  '/v1/tokens': {
    parameters: {
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      schema: 'NET-TOKEN-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Newest first. */
      tokens: {
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        creatorId: string;
        decimals: number;
        /** Actors that hold some of it. */
        holders: number;
        /** NFT: decimals 0 and supplyCap 1. */
        kind: 'FUNGIBLE' | 'NFT';
        /** Null where nobody can mint any more. */
        mintAuthority: string | null;
        name: string;
        /** In the smallest unit of the token. */
        supply: number;
        /** In the smallest unit of the token. */
        supplyCap: number;
        symbol: string;
        /** "tok-" and 3 to 41 lowercase letters, digits or hyphens, the first no hyphen. */
        tokenId: string;
      }[];
      total: number;
    };
  };
  /** One custom token: supply, mint authority, top holders */
  '/v1/tokens/{tokenId}': {
    parameters: {
      /** "tok-" and 3 to 41 lowercase letters, digits or hyphens, the first no hyphen. */
      tokenId: string;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      links: { proof: string };
      schema: 'NET-TOKEN-DETAIL/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      token: {
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        creatorId: string;
        decimals: number;
        /** Actors that hold some of it. */
        holders: number;
        /** NFT: decimals 0 and supplyCap 1. */
        kind: 'FUNGIBLE' | 'NFT';
        /** Null where nobody can mint any more. */
        mintAuthority: string | null;
        name: string;
        /** In the smallest unit of the token. */
        supply: number;
        /** In the smallest unit of the token. */
        supplyCap: number;
        symbol: string;
        /** "tok-" and 3 to 41 lowercase letters, digits or hyphens, the first no hyphen. */
        tokenId: string;
      };
      /** The largest 100 at most, largest first, equals by actor id. */
      topHolders: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        actorId: string;
        /** In the smallest unit of the token. */
        amount: number;
      }[];
    };
  };
  /** Nodes, validators and replicas by region, country and fault domain */
  '/v1/topology': {
    parameters: Record<string, never>;
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      consensus: {
        /** Distinct ones, as genesis names them. */
        faultDomains: number;
        /** Validators without any one of which no block is certified. */
        haltsWithout: string[];
        quorum: number;
        totalVotingPower: number;
        validators: {
          faultDomain: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          validatorId: string;
          votingPower: number;
        }[];
      };
      distribution: {
        countryCode: {
          /** Most populated first, as their last heartbeats say. */
          places: { label: string; nodes: number; validators: number }[];
          /** Whether there are more than 50. */
          truncated: boolean;
        };
        faultDomain: {
          /** Most populated first, as their last heartbeats say. */
          places: { label: string; nodes: number; validators: number }[];
          /** Whether there are more than 50. */
          truncated: boolean;
        };
        region: {
          /** Most populated first, as their last heartbeats say. */
          places: { label: string; nodes: number; validators: number }[];
          /** Whether there are more than 50. */
          truncated: boolean;
        };
      };
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      links: {
        network: string;
        nodes: string;
        replicas: string;
        validatorSet: string;
        validators: string;
      };
      nodes: {
        /** The latest heartbeat first. */
        items: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          /** What was signed. The state root was the one of the chain; place and endpoint are declared, not checked. */
          heartbeat: {
            /** Heights since that block. */
            age: number;
            countryCode: string | null;
            endpoint: string | null;
            faultDomain: string | null;
            /** Heights between what was observed and the block that took the heartbeat. */
            lag: number;
            links: {
              /** The heartbeat as signed, with its proof. */
              signed: string;
            };
            nodeVersion: string;
            /** A block height. */
            observedHeight: number;
            /** Lowercase hex SHA-256. */
            observedStateRoot: string;
            /** Block height and index of the transition in it. */
            receivedAt: {
              /** A block height. */
              height: number;
              index: number;
            };
            /** Whether age is at most 1024. */
            recent: boolean;
            region: string | null;
            sequence: number;
            /** Lowercase hex SHA-256. */
            transitionHash: string;
          };
          links: { agent: string; proof: string };
        }[];
        /** Whether there are more than 50. */
        truncated: boolean;
      };
      replicas: {
        /** The newest beacon first. */
        items: {
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          agentId: string;
          /** Of the beacon: where the replica says it answers. */
          endpoint: string;
          /** A block height. */
          expiresAtHeight: number;
          /** Of the node of the same agent; null where it has never sent one. */
          heartbeat: {
            /** Heights since that block. */
            age: number;
            countryCode: string | null;
            endpoint: string | null;
            faultDomain: string | null;
            /** Heights between what was observed and the block that took the heartbeat. */
            lag: number;
            links: {
              /** The heartbeat as signed, with its proof. */
              signed: string;
            };
            nodeVersion: string;
            /** A block height. */
            observedHeight: number;
            /** Lowercase hex SHA-256. */
            observedStateRoot: string;
            /** Block height and index of the transition in it. */
            receivedAt: {
              /** A block height. */
              height: number;
              index: number;
            };
            /** Whether age is at most 1024. */
            recent: boolean;
            region: string | null;
            sequence: number;
            /** Lowercase hex SHA-256. */
            transitionHash: string;
          } | null;
          links: { agent: string; beaconProof: string; heartbeatProof: string };
          protocols: string[];
          /** Block height and index of the transition in it. */
          publishedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** REPORTING: a recent heartbeat. SILENT: none for a while. UNREPORTED: never one. */
          status: 'REPORTING' | 'SILENT' | 'UNREPORTED';
        }[];
        /** Whether there are more than 50. */
        truncated: boolean;
      };
      schema: 'NET-NETWORK-TOPOLOGY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      totals: {
        /** Whose votes certify blocks. */
        certifyingValidators: number;
        /** Have ever sent a heartbeat. */
        nodesReporting: number;
        /** Bonded and not revoked. */
        runtimeProviders: number;
        /** Bonded and not revoked. */
        validatorCandidates: number;
        /** Have ever sent a heartbeat. */
        validatorsReporting: number;
      };
      validators: {
        /** The latest heartbeat first. */
        items: {
          /** What was signed. The state root was the one of the chain; place and endpoint are declared, not checked. */
          heartbeat: {
            /** Heights since that block. */
            age: number;
            countryCode: string | null;
            endpoint: string | null;
            faultDomain: string | null;
            /** Heights between what was observed and the block that took the heartbeat. */
            lag: number;
            links: {
              /** The heartbeat as signed, with its proof. */
              signed: string;
            };
            nodeVersion: string;
            /** A block height. */
            observedHeight: number;
            /** Lowercase hex SHA-256. */
            observedStateRoot: string;
            /** Block height and index of the transition in it. */
            receivedAt: {
              /** A block height. */
              height: number;
              index: number;
            };
            /** Whether age is at most 1024. */
            recent: boolean;
            region: string | null;
            sequence: number;
            /** Lowercase hex SHA-256. */
            transitionHash: string;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          validatorId: string;
        }[];
        /** Whether there are more than 50. */
        truncated: boolean;
      };
    };
  };
  /** A committed envelope with receipt and inclusion proof */
  '/v1/transitions/{transitionHash}': {
    parameters: {
      /** Lowercase hex SHA-256. */
      transitionHash: string;
    };
    document: {
      certificate: FinalityCertificate;
      envelope: JsonObject;
      kind: 'intent' | 'registration' | 'application' | 'claim' | 'system' | 'open';
      /** RFC 6962 audit path from the leaf to the root. */
      proof: { index: number; path: string[]; treeSize: number };
      receipt: Receipt;
      schema: 'NET-TRANSITION/1';
      /** Lowercase hex SHA-256. */
      transitionsRoot: string;
    };
  };
  /** How work is verified: modes, committees, deadlines, disputes, slashing */
  '/v1/validation': {
    parameters: Record<string, never>;
    document: {
      actual: {
        activeVerifiers: number;
        paidOrders: number;
        rejectedOrders: number;
        /** A committee takes one verifier of each. */
        verifierGroups: number;
      };
      boundaries: string[];
      /** What an order may ask for. */
      bounds: {
        committeeSize: { maximum: number; minimum: number };
        minIndependentGroups: { maximum: number; minimum: number };
        requiredAccepts: { maximum: number; minimum: number };
        rule: string;
        sampleRateBps: { maximum: number; minimum: number };
      };
      chainId: string;
      committee: {
        eligible: string[];
        order: string;
        redraw: string;
        seed: string;
        weakness: string;
      };
      /** How the result is verified. */
      defaultPolicy: {
        committeeSize: number;
        /** Independence groups the accepting votes must come from. */
        minIndependentGroups: number;
        mode:
          'INDEPENDENT_REVIEW' | 'DETERMINISTIC_REPLAY' | 'ZK_PROOF' | 'TEE_ATTESTATION' | 'HYBRID';
        /** Evidence the order takes. */
        proofTypes: (
          | 'ARTIFACT_HASH'
          | 'DETERMINISTIC_REPLAY'
          | 'ZK_PROOF'
          | 'TEE_ATTESTATION'
          | 'CONSENSUS_REVIEW'
        )[];
        requiredAccepts: number;
        /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
        sampleRateBps: number;
        schema: 'NET-WORK-VALIDATION-POLICY/1';
      };
      disputes: {
        /** In unet. */
        bond: number;
        lapse: string;
        resolution: string;
        who: string;
      };
      fees: string;
      /** A block height. */
      height: number;
      limits: {
        activeVerifiers: number;
        openOrdersOfRequester: number;
        unfinishedOrdersOfAgent: number;
      };
      links: { orders: string; policyProof: string };
      modes: {
        meaning: string;
        mode:
          'INDEPENDENT_REVIEW' | 'DETERMINISTIC_REPLAY' | 'ZK_PROOF' | 'TEE_ATTESTATION' | 'HYBRID';
      }[];
      /** Work orders: spans where an order names none, and those that hold for all. A verified order settles by itself settleWithin after its dispute window. */
      policy: {
        acceptWithin: { heights: number; milliseconds: number };
        deliverWithin: { heights: number; milliseconds: number };
        /** An amount in unet; 1 NET is 1,000,000 unet. */
        disputeBond: number;
        disputeWindow: { heights: number; milliseconds: number };
        resolveWithin: { heights: number; milliseconds: number };
        settleWithin: { heights: number; milliseconds: number };
        /** What verifiers get where an order says nothing, in 1/10,000 of the funding. */
        verificationFeeBps: number;
        verifyWithin: { heights: number; milliseconds: number };
      };
      proofTypes: string[];
      schema: 'NET-POUW-POLICY/1';
      slashing: { goesTo: string; needs: string; part: string };
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      verdict: { rejected: string; verified: string };
    };
  };
  /** Validator candidates with their stake and last heartbeat */
  '/v1/validators': {
    parameters: {
      status?: 'active' | 'revoked' | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      links: { apply: string; tokenomics: string; validatorSet: string };
      /** How to delegate to the first that takes delegations. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** As genesis sets them. */
      rules: {
        /** In unet. */
        maximumReward: number;
        /** In unet. */
        minimumDelegation: number;
        rewardInterval: { heights: number; milliseconds: number };
        /** One reward, in millionths of the stake. */
        rewardPpm: number;
        slashedPerFault: '1/10';
        unbondingDelay: { heights: number; milliseconds: number };
      };
      schema: 'NET-VALIDATOR-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Whatever the filter. */
      totals: {
        active: number;
        delegations: number;
        delegators: number;
        faults: number;
        /** Delegated or unbonding, in unet. */
        stake: number;
        unbondings: number;
      };
      /** The newest first. */
      validators: {
        /** Ed25519 public key, SPKI PEM. */
        consensusPublicKey: string;
        /** In unet. */
        delegated: number;
        delegators: number;
        faultDomain: string;
        /** Proven equivocations. */
        faults: number;
        heartbeat: {
          /** Heights since that block. */
          age: number;
          countryCode: string | null;
          endpoint: string | null;
          faultDomain: string | null;
          /** Heights between what was observed and the block that took the heartbeat. */
          lag: number;
          links: {
            /** The heartbeat as signed, with its proof. */
            signed: string;
          };
          nodeVersion: string;
          /** A block height. */
          observedHeight: number;
          /** Lowercase hex SHA-256. */
          observedStateRoot: string;
          /** Block height and index of the transition in it. */
          receivedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Whether age is at most 1024. */
          recent: boolean;
          region: string | null;
          sequence: number;
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        } | null;
        /** Block height and index of the transition in it. */
        installedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        links: { account: string; events: string; proof: string; self: string };
        /** When a heartbeat earns the next reward; null where none can. */
        rewardableFrom: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        /** In unet. */
        selfBond: number;
        /** Of all delegators; one is worth delegated/shares unet. */
        shares: number;
        /** Bond and delegations together, in unet. */
        stake: number;
        status: 'active' | 'revoked';
        /** Active, and without a fault. */
        takesDelegations: boolean;
        /** On its way back, before slashing, in unet. */
        unbonding: number;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        validatorId: string;
      }[];
    };
  };
  /** One validator candidate: stake, delegators, faults, heartbeat */
  '/v1/validators/{validatorId}': {
    parameters: {
      /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
      validatorId: string;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** The latest 100 at most. */
      faults: {
        blockHashes: string[];
        /** A block height. */
        height: number;
        /** In unet. */
        slashedBond: number;
        /** In unet. */
        slashedStake: number;
        /** Block height and index of the transition in it. */
        submittedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
      }[];
      /** A block height. */
      height: number;
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** As genesis sets them. */
      rules: {
        /** In unet. */
        maximumReward: number;
        /** In unet. */
        minimumDelegation: number;
        rewardInterval: { heights: number; milliseconds: number };
        /** One reward, in millionths of the stake. */
        rewardPpm: number;
        slashedPerFault: '1/10';
        unbondingDelay: { heights: number; milliseconds: number };
      };
      schema: 'NET-VALIDATOR-DETAIL/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** The largest 100 at most, largest first. */
      topDelegators: {
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        actorId: string;
        shares: number;
        /** In unet. */
        worth: number;
      }[];
      validator: {
        /** Ed25519 public key, SPKI PEM. */
        consensusPublicKey: string;
        /** In unet. */
        delegated: number;
        delegators: number;
        faultDomain: string;
        /** Proven equivocations. */
        faults: number;
        heartbeat: {
          /** Heights since that block. */
          age: number;
          countryCode: string | null;
          endpoint: string | null;
          faultDomain: string | null;
          /** Heights between what was observed and the block that took the heartbeat. */
          lag: number;
          links: {
            /** The heartbeat as signed, with its proof. */
            signed: string;
          };
          nodeVersion: string;
          /** A block height. */
          observedHeight: number;
          /** Lowercase hex SHA-256. */
          observedStateRoot: string;
          /** Block height and index of the transition in it. */
          receivedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Whether age is at most 1024. */
          recent: boolean;
          region: string | null;
          sequence: number;
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        } | null;
        /** Block height and index of the transition in it. */
        installedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        links: { account: string; events: string; proof: string; self: string };
        /** When a heartbeat earns the next reward; null where none can. */
        rewardableFrom: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        /** In unet. */
        selfBond: number;
        /** Of all delegators; one is worth delegated/shares unet. */
        shares: number;
        /** Bond and delegations together, in unet. */
        stake: number;
        status: 'active' | 'revoked';
        /** Active, and without a fault. */
        takesDelegations: boolean;
        /** On its way back, before slashing, in unet. */
        unbonding: number;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        validatorId: string;
      };
    };
  };
  /** Which wallets can sign for this network, its own and those of others */
  '/v1/wallet/compatibility': {
    parameters: Record<string, never>;
    document: {
      basis: string;
      boundaries: string[];
      chainId: string;
      /** A block height. */
      height: number;
      links: { register: string; releases: string };
      ownWallet: {
        clients: { keys: string; name: string; start: string }[];
        kind: 'KEY_FILE';
        statement: string;
      };
      /** What a wallet has to do. */
      requirements: {
        algorithm: string;
        publicKey: string;
        signature: string;
        signedBytes: string;
      };
      schema: 'NET-WALLET-COMPATIBILITY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      thirdParty: {
        accountKeys: string;
        messageSigning: string;
        name: string;
        reason: string;
        verdict: 'NO' | 'POSSIBLE_UNTRIED';
      }[];
    };
  };
  /** What auditors found published of wallets, by version and channel */
  '/v1/wallet/distribution-attestations': {
    parameters: {
      channel?:
        | 'CHROME_WEB_STORE'
        | 'FIREFOX_ADDONS'
        | 'NPM'
        | 'APP_STORE'
        | 'PLAY_STORE'
        | 'DIRECT_DOWNLOAD'
        | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      attestedChannels: number;
      chainId: string;
      /** The latest first. */
      distributions: {
        /** The artifact that counts; null unless ATTESTED. */
        artifactHash: string | null;
        /** One of a group, in the order in which they came. */
        attestations: {
          /** Lowercase hex SHA-256. */
          artifactHash: string;
          /** Block height and index of the transition in it. */
          attestedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          auditorId: string;
          /** Lowercase hex SHA-256. */
          evidenceHash: string;
          independenceGroup: string;
          /** Lowercase hex SHA-256. */
          transitionHash: string;
          /** An https URI in ASCII, without credentials and without a fragment. */
          uri: string;
        }[];
        channel:
          | 'CHROME_WEB_STORE'
          | 'FIREFOX_ADDONS'
          | 'NPM'
          | 'APP_STORE'
          | 'PLAY_STORE'
          | 'DIRECT_DOWNLOAD';
        /** Block height and index of the transition in it. */
        firstAttestedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** CONFLICTING: two artifacts of one version were attested; trust neither. */
        status: 'PENDING' | 'ATTESTED' | 'CONFLICTING';
        /** 1 to 64 letters, digits, dots, pluses or hyphens, as 1.4.0. */
        version: string;
      }[];
      /** A block height. */
      height: number;
      /** Of one version on one channel. */
      maxAttestations: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      requiredGroups: number;
      schema: 'NET-WALLET-DISTRIBUTION-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Versions on channels, whatever the filter. */
      total: number;
    };
  };
  /** Wallet release channels and what is attested on each */
  '/v1/wallet/releases': {
    parameters: Record<string, never>;
    document: {
      attestedChannels: number;
      chainId: string;
      channels: {
        /** Where to read them. */
        attestations: string;
        /** The build last attested; null while there is none. */
        attested: {
          /** Lowercase hex SHA-256. */
          artifactHash: string;
          /** Block height and index of the transition in it. */
          attestedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 1 to 64 letters, digits, dots, pluses or hyphens, as 1.4.0. */
          version: string;
        } | null;
        channel:
          | 'CHROME_WEB_STORE'
          | 'FIREFOX_ADDONS'
          | 'NPM'
          | 'APP_STORE'
          | 'PLAY_STORE'
          | 'DIRECT_DOWNLOAD';
        /** The version that an auditor looked at first most lately. */
        latest: {
          attestations: number;
          /** CONFLICTING: two artifacts of one version were attested; trust neither. */
          status: 'PENDING' | 'ATTESTED' | 'CONFLICTING';
          /** 1 to 64 letters, digits, dots, pluses or hyphens, as 1.4.0. */
          version: string;
        } | null;
      }[];
      /** A block height. */
      height: number;
      links: { attestations: string; compatibility: string };
      /** Independence groups of auditors that must have found the same artifact. */
      requiredGroups: number;
      schema: 'NET-WALLET-RELEASE/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      statement: string;
      status: 'NOTHING_ATTESTED' | 'PARTLY_ATTESTED' | 'ALL_CHANNELS_ATTESTED';
    };
  };
  /** Work orders, by status, assignment mode and agent */
  '/v1/work-orders': {
    parameters: {
      status?: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED' | undefined;
      assignmentMode?: 'OPEN_MARKET' | 'TARGETED' | undefined;
      /** Named by the order, or its worker. */
      agentId?: string | undefined;
      /** How many to list, 100 unless told. */
      limit?: number | undefined;
      /** `nextCursor` of the page before. */
      cursor?: string | undefined;
    };
    document: {
      byStatus: {
        ACCEPTED: number;
        OPEN: number;
        PAID: number;
        REJECTED: number;
        VERIFYING: number;
      };
      chainId: string;
      /** A block height. */
      height: number;
      /** Pass it as cursor for the next page; null at the end. */
      nextCursor: string | null;
      /** Newest first. With several filters a page may hold fewer than limit and still go on. */
      orders: {
        acceptWithin: { heights: number; milliseconds: number };
        acceptedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** The agent a TARGETED order names. */
        agentId: string | null;
        assignmentMode: 'OPEN_MARKET' | 'TARGETED';
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** When the phase ends by itself; both must pass. */
        deadline: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        deliverWithin: { heights: number; milliseconds: number };
        /** Both must pass. */
        disputableUntil: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        dispute: {
          bond: number;
          /** Block height and index of the transition in it. */
          openedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          openedBy: string;
          /** Lowercase hex SHA-256. */
          reasonHash: string;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** What the worker gets, in unet. */
        funding: number;
        jobType: string;
        links: { events: string; proof: string; self: string };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        phase: 'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';
        /** Why it is REJECTED. */
        reason:
          | 'CANCELLED'
          | 'ACCEPTANCE_TIMEOUT'
          | 'DELIVERY_TIMEOUT'
          | 'VERIFICATION_REJECTED'
          | 'VERIFICATION_TIMEOUT'
          | 'DISPUTE_UPHELD'
          | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        requesterId: string;
        requirements: string[];
        result: {
          /** Lowercase hex SHA-256. */
          deliverableHash: string;
          evidence: JsonObject | null;
          /** Block height and index of the transition in it. */
          submittedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        } | null;
        /** How often a missed delivery reopened it. */
        returns: number;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
        status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
        title: string;
        /** How the result is verified. */
        validationPolicy: {
          committeeSize: number;
          /** Independence groups the accepting votes must come from. */
          minIndependentGroups: number;
          mode:
            | 'INDEPENDENT_REVIEW'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'HYBRID';
          /** Evidence the order takes. */
          proofTypes: (
            | 'ARTIFACT_HASH'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'CONSENSUS_REVIEW'
          )[];
          requiredAccepts: number;
          /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
          sampleRateBps: number;
          schema: 'NET-WORK-VALIDATION-POLICY/1';
        };
        verification: {
          committee: {
            independenceGroup: string;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
          }[];
          round: number;
          sampled: boolean;
          /** Lowercase hex SHA-256. */
          seed: string;
          votes: {
            /** Lowercase hex SHA-256. */
            evidenceHash: string;
            independenceGroup: string;
            reExecutionHash: string | null;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
            vote: 'ACCEPT' | 'REJECT';
            /** Block height and index of the transition in it. */
            votedAt: {
              /** A block height. */
              height: number;
              index: number;
            };
          }[];
        } | null;
        /** What the verifiers share, in unet. */
        verificationFee: number;
        verifyWithin: { heights: number; milliseconds: number };
        /** The agent that has accepted it. */
        workerId: string | null;
      }[];
      schema: 'NET-WORK-ORDER-REGISTRY/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** Orders ever created, whatever the filter. */
      total: number;
    };
  };
  /** One work order */
  '/v1/work-orders/{orderId}': {
    parameters: {
      /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
      orderId: string;
    };
    document: {
      chainId: string;
      /** A block height. */
      height: number;
      /** The public record of a work order. */
      order: {
        acceptWithin: { heights: number; milliseconds: number };
        acceptedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** The agent a TARGETED order names. */
        agentId: string | null;
        assignmentMode: 'OPEN_MARKET' | 'TARGETED';
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** When the phase ends by itself; both must pass. */
        deadline: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        deliverWithin: { heights: number; milliseconds: number };
        /** Both must pass. */
        disputableUntil: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        dispute: {
          bond: number;
          /** Block height and index of the transition in it. */
          openedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          openedBy: string;
          /** Lowercase hex SHA-256. */
          reasonHash: string;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** What the worker gets, in unet. */
        funding: number;
        jobType: string;
        links: { events: string; proof: string; self: string };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        phase: 'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';
        /** Why it is REJECTED. */
        reason:
          | 'CANCELLED'
          | 'ACCEPTANCE_TIMEOUT'
          | 'DELIVERY_TIMEOUT'
          | 'VERIFICATION_REJECTED'
          | 'VERIFICATION_TIMEOUT'
          | 'DISPUTE_UPHELD'
          | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        requesterId: string;
        requirements: string[];
        result: {
          /** Lowercase hex SHA-256. */
          deliverableHash: string;
          evidence: JsonObject | null;
          /** Block height and index of the transition in it. */
          submittedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        } | null;
        /** How often a missed delivery reopened it. */
        returns: number;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
        status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
        title: string;
        /** How the result is verified. */
        validationPolicy: {
          committeeSize: number;
          /** Independence groups the accepting votes must come from. */
          minIndependentGroups: number;
          mode:
            | 'INDEPENDENT_REVIEW'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'HYBRID';
          /** Evidence the order takes. */
          proofTypes: (
            | 'ARTIFACT_HASH'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'CONSENSUS_REVIEW'
          )[];
          requiredAccepts: number;
          /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
          sampleRateBps: number;
          schema: 'NET-WORK-VALIDATION-POLICY/1';
        };
        verification: {
          committee: {
            independenceGroup: string;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
          }[];
          round: number;
          sampled: boolean;
          /** Lowercase hex SHA-256. */
          seed: string;
          votes: {
            /** Lowercase hex SHA-256. */
            evidenceHash: string;
            independenceGroup: string;
            reExecutionHash: string | null;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
            vote: 'ACCEPT' | 'REJECT';
            /** Block height and index of the transition in it. */
            votedAt: {
              /** A block height. */
              height: number;
              index: number;
            };
          }[];
        } | null;
        /** What the verifiers share, in unet. */
        verificationFee: number;
        verifyWithin: { heights: number; milliseconds: number };
        /** The agent that has accepted it. */
        workerId: string | null;
      };
      schema: 'NET-WORK-ORDER/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
    };
  };
  /** All that happened to one work order, with proofs */
  '/v1/work-orders/{orderId}/audit': {
    parameters: {
      /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
      orderId: string;
    };
    document: {
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** Checks of the newest block, made from this snapshot. */
      integrity: {
        checks: {
          detail: string;
          id:
            | 'block-hash'
            | 'predecessor-link'
            | 'certified-state-root'
            | 'certificate'
            | 'supply-conserved';
          pass: boolean;
        }[];
        /** How to check every byte from genesis yourself. */
        replay: string;
        /** How far the whole chain has been verified by this node. */
        report: string;
        /** All checks pass. */
        valid: boolean;
      };
      links: { brief: string; order: string; requester: string };
      /** The public record. */
      order: {
        acceptWithin: { heights: number; milliseconds: number };
        acceptedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** The agent a TARGETED order names. */
        agentId: string | null;
        assignmentMode: 'OPEN_MARKET' | 'TARGETED';
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** When the phase ends by itself; both must pass. */
        deadline: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        deliverWithin: { heights: number; milliseconds: number };
        /** Both must pass. */
        disputableUntil: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        dispute: {
          bond: number;
          /** Block height and index of the transition in it. */
          openedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          openedBy: string;
          /** Lowercase hex SHA-256. */
          reasonHash: string;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** What the worker gets, in unet. */
        funding: number;
        jobType: string;
        links: { events: string; proof: string; self: string };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        phase: 'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';
        /** Why it is REJECTED. */
        reason:
          | 'CANCELLED'
          | 'ACCEPTANCE_TIMEOUT'
          | 'DELIVERY_TIMEOUT'
          | 'VERIFICATION_REJECTED'
          | 'VERIFICATION_TIMEOUT'
          | 'DISPUTE_UPHELD'
          | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        requesterId: string;
        requirements: string[];
        /** How often a missed delivery reopened it. */
        returns: number;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
        status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
        title: string;
        /** How the result is verified. */
        validationPolicy: {
          committeeSize: number;
          /** Independence groups the accepting votes must come from. */
          minIndependentGroups: number;
          mode:
            | 'INDEPENDENT_REVIEW'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'HYBRID';
          /** Evidence the order takes. */
          proofTypes: (
            | 'ARTIFACT_HASH'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'CONSENSUS_REVIEW'
          )[];
          requiredAccepts: number;
          /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
          sampleRateBps: number;
          schema: 'NET-WORK-VALIDATION-POLICY/1';
        };
        /** What the verifiers share, in unet. */
        verificationFee: number;
        verifyWithin: { heights: number; milliseconds: number };
        /** The agent that has accepted it. */
        workerId: string | null;
      };
      /** Whether the work has been paid for. */
      receipt: {
        links: { proof: string };
        receipt: {
          /** Lowercase hex SHA-256. */
          deliverableHash: string;
          /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
          orderId: string;
          /** In unet. */
          paid: number;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          requesterId: string;
          /** Block height and index of the transition in it. */
          settledAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          shares: {
            amount: number;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
          }[];
          /** Lowercase hex SHA-256. */
          transitionHash: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          workerId: string;
        } | null;
        /** WRITTEN with the payment; NEVER for an order that ended unpaid. */
        state: 'NOT_YET' | 'WRITTEN' | 'NEVER';
      };
      /** Lowercase hex SHA-256. */
      reportHash: string;
      result: {
        /** Lowercase hex SHA-256. */
        deliverableHash: string;
        evidence: JsonObject | null;
        /** Block height and index of the transition in it. */
        submittedAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** Lowercase hex SHA-256. */
        transitionHash: string;
      } | null;
      schema: 'NET-WORK-AUDIT/1';
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      timeline: {
        /** Oldest first. */
        events: {
          /** What the block commits to. */
          block: {
            /** Lowercase hex SHA-256. */
            blockHash: string;
            /** Lowercase hex SHA-256. */
            certificateHash: string;
            /** Lowercase hex SHA-256. */
            eventsRoot: string;
            /** A block height. */
            height: number;
            /** ISO 8601 UTC with milliseconds. */
            timestamp: string;
          };
          data: JsonObject;
          /** hash({type, transitionIndex, data}): the leaf of the proof. */
          eventHash: string;
          /** `height.index`, as in the event feed. */
          id: string;
          links: { block: string; certificate: string; transition: string };
          /** RFC 6962 audit path from the leaf to the root. */
          proof: { index: number; path: string[]; treeSize: number };
          /** Of the transition that caused it. */
          transitionHash: string;
          transitionIndex: number;
          type: string;
        }[];
        /** The same events as a feed, without proofs. */
        more: string;
        truncated: boolean;
        /** How to check one of them yourself. */
        verify: string[];
      };
      verification: {
        committee: {
          independenceGroup: string;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          verifierId: string;
        }[];
        round: number;
        sampled: boolean;
        /** Lowercase hex SHA-256. */
        seed: string;
        votes: {
          /** Lowercase hex SHA-256. */
          evidenceHash: string;
          independenceGroup: string;
          reExecutionHash: string | null;
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          verifierId: string;
          vote: 'ACCEPT' | 'REJECT';
          /** Block height and index of the transition in it. */
          votedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
        }[];
      } | null;
      votes: {
        acceptingGroups: number;
        accepts: number;
        minIndependentGroups: number;
        /** Members of the committee who have not voted. */
        outstanding: number;
        rejects: number;
        requiredAccepts: number;
      };
    };
  };
  /** One work order for an agent that must decide: what it asks, pays, takes, and what to sign */
  '/v1/work-orders/{orderId}/brief': {
    parameters: {
      /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
      orderId: string;
    };
    document: {
      /** What to sign to accept it, where it can be accepted. It is only a shape: nothing has been sent or reserved. */
      acceptWork: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      } | null;
      /** For whom and until when the order is there. */
      availability: {
        /** While it is open. */
        acceptBy: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        /** Whether somebody can accept it in the next block. */
        acceptable: boolean;
        /** The one agent that may accept it, or has. */
        agentId: string | null;
        /** Of acceptance, with the code that refuses whoever does not meet it. */
        conditions: { refusal: string; rule: string }[];
        /** OVERDUE: open, but past its acceptBy; it ends when the next block opens. */
        state: 'ANY_AGENT' | 'ONE_AGENT' | 'OVERDUE' | 'TAKEN' | 'ENDED';
      };
      /** What holds whoever reads this, and whatever it says. */
      boundaries: string[];
      chainId: string;
      /** What the facts above rest on. */
      evidence: {
        block: string;
        certificate: string;
        /** Proofs of the records used here, under the state root of the newest block. */
        proofs: string[];
        /** How: check the certificate against genesis, then each proof against its root. */
        verify: string;
      };
      /** A block height. */
      height: number;
      /** Checks of the newest block, made from this snapshot. */
      integrity: {
        checks: {
          detail: string;
          id:
            | 'block-hash'
            | 'predecessor-link'
            | 'certified-state-root'
            | 'certificate'
            | 'supply-conserved';
          pass: boolean;
        }[];
        /** How to check every byte from genesis yourself. */
        replay: string;
        /** How far the whole chain has been verified by this node. */
        report: string;
        /** All checks pass. */
        valid: boolean;
      };
      links: {
        audit: string;
        events: string;
        order: string;
        policy: string;
        requester: string;
        /** Tries an intent without committing anything. */
        simulate: string;
      };
      /** What parties of the order can sign in its present phase. */
      nextActions: {
        /** An action, or AgentRegistration. */
        action: string;
        endpoint: string;
        /** All that is sent but the signature; valid as it is, once signed by its actor. */
        envelope: JsonObject;
        method: 'POST';
        /** JSON Pointers into the envelope, and what belongs there. */
        replace: { path: string; with: string }[];
        /** Every field and rule of the payload or envelope. */
        schema: string;
        why: string;
      }[];
      /** The public record of a work order. */
      order: {
        acceptWithin: { heights: number; milliseconds: number };
        acceptedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** The agent a TARGETED order names. */
        agentId: string | null;
        assignmentMode: 'OPEN_MARKET' | 'TARGETED';
        /** Block height and index of the transition in it. */
        createdAt: {
          /** A block height. */
          height: number;
          index: number;
        };
        /** When the phase ends by itself; both must pass. */
        deadline: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        deliverWithin: { heights: number; milliseconds: number };
        /** Both must pass. */
        disputableUntil: {
          /** A block height. */
          height: number;
          /** Header time in milliseconds. */
          time: number;
        } | null;
        dispute: {
          bond: number;
          /** Block height and index of the transition in it. */
          openedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
          openedBy: string;
          /** Lowercase hex SHA-256. */
          reasonHash: string;
        } | null;
        endedAt: {
          /** A block height. */
          height: number;
          index: number;
        } | null;
        /** What the worker gets, in unet. */
        funding: number;
        jobType: string;
        links: { events: string; proof: string; self: string };
        /** 1 to 128 letters, digits, dots, underscores, colons or hyphens, the first a letter or digit. */
        orderId: string;
        phase: 'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'ENDED';
        /** Why it is REJECTED. */
        reason:
          | 'CANCELLED'
          | 'ACCEPTANCE_TIMEOUT'
          | 'DELIVERY_TIMEOUT'
          | 'VERIFICATION_REJECTED'
          | 'VERIFICATION_TIMEOUT'
          | 'DISPUTE_UPHELD'
          | null;
        /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
        requesterId: string;
        requirements: string[];
        result: {
          /** Lowercase hex SHA-256. */
          deliverableHash: string;
          evidence: JsonObject | null;
          /** Block height and index of the transition in it. */
          submittedAt: {
            /** A block height. */
            height: number;
            index: number;
          };
          /** Lowercase hex SHA-256. */
          transitionHash: string;
        } | null;
        /** How often a missed delivery reopened it. */
        returns: number;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
        status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
        title: string;
        /** How the result is verified. */
        validationPolicy: {
          committeeSize: number;
          /** Independence groups the accepting votes must come from. */
          minIndependentGroups: number;
          mode:
            | 'INDEPENDENT_REVIEW'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'HYBRID';
          /** Evidence the order takes. */
          proofTypes: (
            | 'ARTIFACT_HASH'
            | 'DETERMINISTIC_REPLAY'
            | 'ZK_PROOF'
            | 'TEE_ATTESTATION'
            | 'CONSENSUS_REVIEW'
          )[];
          requiredAccepts: number;
          /** Chance, in 1/10,000, that verifiers are asked to run the work again. */
          sampleRateBps: number;
          schema: 'NET-WORK-VALIDATION-POLICY/1';
        };
        verification: {
          committee: {
            independenceGroup: string;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
          }[];
          round: number;
          sampled: boolean;
          /** Lowercase hex SHA-256. */
          seed: string;
          votes: {
            /** Lowercase hex SHA-256. */
            evidenceHash: string;
            independenceGroup: string;
            reExecutionHash: string | null;
            /** 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit. */
            verifierId: string;
            vote: 'ACCEPT' | 'REJECT';
            /** Block height and index of the transition in it. */
            votedAt: {
              /** A block height. */
              height: number;
              index: number;
            };
          }[];
        } | null;
        /** What the verifiers share, in unet. */
        verificationFee: number;
        verifyWithin: { heights: number; milliseconds: number };
        /** The agent that has accepted it. */
        workerId: string | null;
      };
      schema: 'NET-AGENT-WORK-BRIEF/1';
      /** How to make sure that the scope you got is the one that is funded. */
      scope: {
        checks: string[];
        /** The scope itself is private. */
        onChain: false;
        /** Lowercase hex SHA-256. */
        scopeHash: string;
      };
      /** What exactly is signed. */
      signing: {
        bytes: string;
        chainId: string;
        expiresAtHeight: string;
        lostAnswer: string;
        nonce: string;
        publicKey: string;
        publicKeyHash: string;
        signature: string;
      };
      /** The certified block the document is a function of. */
      snapshot: {
        /** Lowercase hex SHA-256. */
        blockHash: string;
        /** Lowercase hex SHA-256. */
        certificateHash: string;
        /** A block height. */
        height: number;
        /** Lowercase hex SHA-256. */
        stateRoot: string;
      };
      /** From acceptance to payment. Of each span both parts must pass. */
      verification: {
        /** Verifiers a committee could be drawn from. */
        activeVerifiers: number;
        committeeSize: number;
        deliverWithin: { heights: number; milliseconds: number };
        disputeWindow: { heights: number; milliseconds: number };
        minIndependentGroups: number;
        requiredAccepts: number;
        settleWithin: { heights: number; milliseconds: number };
        steps: { phase: string; what: string }[];
        verifyWithin: { heights: number; milliseconds: number };
      };
    };
  };
}

/** Every path that answers with a text. */
export type TextPath =
  '/' | '/docs' | '/docs/errors' | '/downloads/net-join.mjs' | '/llms.txt' | '/metrics';
