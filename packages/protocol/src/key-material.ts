/**
 * Keeps secrets from being published by accident: what a chain takes it keeps and shows for good. So no envelope may have a member
 * that is named like a secret, or bytes of a key under a name that says key, or hold a private key in any text. Part of the protocol: every node refuses the same.
 */
import { holdsMnemonic } from './bip39.ts';
import type { JsonValue } from './canonical-json.ts';
import { jsonPointer } from './strict-json.ts';

/**
 * How secrets are called at the end of a name, with or without the encoding behind it, written in lower-case letters and
 * digits only: `agent_private_key` and `walletSeedHex` are, `seedHash` and `publicKey` are not.
 */
const SECRET_NAME =
  /(?:priv(?:ate)?key|secret(?:key)?|seed(?:phrase|words?)?|mnemonic(?:phrase|words?)?|recovery(?:phrase|words?)|pass(?:word|wd|phrase|code)|apikey|accesskey|credential|(?:access|api|auth|bearer|refresh)token)s?(?:pem|der|jwk|pkcs8|hex|b64|base64|raw|bytes|text|string|value)?$/;

/** PEM of any private kind, encrypted ones, OpenSSH, PGP and SSH2 included. */
const PRIVATE_PEM = /-- ?BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY/i;

/** The beginnings of PKCS #8 (RFC 5958) in base64: Ed25519 and X25519, with their public half or without; then EC, RSA. */
const PKCS8_BASE64 = /AQ[AE]wBQYDK2V[uw]BCIE|AgEAMB[AM]GByqGSM49AgEG|IBADANBgkqhkiG9w0BAQ[EF]/;
const PKCS8_HEX = /02010[01]300506032b65(?:6e|70)04220420/i;

/** A JWK (RFC 7517) as text, also quoted within text or as Python prints it: a key type, and the member with the secret half. */
const JWK_TYPE = /["']kty\\*["'][ \t\r\n]*:/;
const JWK_SECRET = /["'][dk]\\*["'][ \t\r\n]*:[ \t\r\n]*\\*["'][A-Za-z0-9_-]{16,}/;

/** A PEM of any private kind in base64: ` PRIVATE KEY`, at each of the three places where its bytes can begin. */
const PEM_BASE64 = /IFBSSVZBVEUgS0VZ|BQUklWQVRFIEtF|gUFJJVkFURSBL/;

/** An identity of age, and the body of an OpenSSH private key without its header. */
const OTHER_KEYS = /AGE-SECRET-KEY-[A-Z0-9-]{20}|b3BlbnNzaC1rZXktdjEA/i;

/**
 * By the form that others give to theirs: extended keys of wallets (BIP 32), of Nostr (NIP 19), and what opens an account at a
 * service that agents use.
 */
const KEYS_ELSEWHERE =
  /(?:^|[^A-Za-z0-9])(?:[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{100}|nsec1[02-9ac-hj-np-z]{58}|gh[oprsu]_[A-Za-z0-9]{36}|[rs]k_live_[A-Za-z0-9]{24}|github_pat_[A-Za-z0-9_]{60}|sk-[A-Za-z0-9_-]{40}|AIza[A-Za-z0-9_-]{35}|xox[abeprs]-[A-Za-z0-9-]{24})/;

/** Prose that says what it gives away: `seed: 9d61…`, `"sk": "nWGx…"`, `secret key (hex) = 9d61…`, `private key 9d61…`. */
const TOLD_SECRET =
  /(?:(?:seed|secret(?:[ _-]?key)?|priv(?:ate)?[ _-]?key|signing[ _-]?key|(?:^|[^A-Za-z])sk)(?:[ _-]?(?:hex|b64|base64|raw|bytes))?["'`\\]{0,4}[ \t\r\n]{0,4}(?:\([A-Za-z0-9 ,_-]{1,24}\)[ \t\r\n]{0,4})?(?:=>|->|[:=]|is:?)|(?:secret|priv(?:ate)?)[ _-]?key)[ \t\r\n]{0,4}["'`\\]{0,4}(?:0x)?(?:[0-9a-f]{128}|[0-9a-f]{64}|[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{43}=?)(?![A-Za-z0-9+/_=-])/gi;

/** A seed that decides a draw is a hash that all may see: what says so before it, and what stands beside it in the network's own. */
const OPEN_SEED = /(?:committee|draw|drawn|sampling|lottery|public|beacon|vrf)(?:'s)?[ _-]?$/i;
const OPEN_SEED_NAME = /(?:committee|draw|drawn|sampling|lottery|public|beacon|vrf)seed(?:hex)?$/;
const DRAW_MEMBER = /["'](?:verifierIds|committee)\\*["'][ \t\r\n]*:/;
const SEED_IS_HASH = /^seed["'`\\ \t\r\n:=]{1,12}[0-9a-f]{64}$/;
const HASH = /^[0-9a-f]{64}$/;

/** The longest of those that say it, and what may stand between. */
const BEFORE = 16;

/** Base64 of `"kty"`, at each of the three places where its bytes can begin; and what may be base64 of a JWK. */
const JWK_BASE64 = /Imt0eS|JrdHki|ia3R5I/;
const BASE64_RUN = /[A-Za-z0-9+/_-]{40,}/g;

/** 32 or 64 numbers of bytes in a list; and a line that gives a value to a name, as YAML, .env and TOML have it. */
const BYTE_LIST =
  /\[[ \t\r\n]*((?:[0-9]{1,3}[ \t\r\n]{0,4},[ \t\r\n]{0,8}){31}(?:(?:[0-9]{1,3}[ \t\r\n]{0,4},[ \t\r\n]{0,8}){32})?[0-9]{1,3})[ \t\r\n]*,?[ \t\r\n]*\]/g;
const ASSIGNED =
  /(?:^|[\r\n{,])[ \t]{0,16}(?:- |export )?["']?([A-Za-z][A-Za-z0-9_.-]{0,40})["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([A-Za-z0-9+/_=]{20,})["']?[ \t]{0,4}(?:#[^\r\n]*)?(?=$|[\r\n,}])/g;

/** The bytes of a key, 32 or 64 of them (a seed, or with its public half), in hex or base64. */
const KEY_HEX = /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i;
const KEY_BASE64 = /^(?:[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{86}(?:==)?)$/;

/** How bytes are written, at the end of a name. */
const ENCODING = /(?:hex|b64|base64|base64url|raw|bytes|text|string|value)$/;
/** A name that ends in "key" and says that it is for others to see, or is no key of this kind. */
const OPEN_KEY =
  /pub|verif|idempot|dedup|cache|sort|partition|primary|foreign|lookup|index|routing|storage|object|state|group/;

/** Names that were looked at: of all that come most are those of the schemas, again and again. */
const judged = new Map<string, boolean>();
const NAMES_KEPT = 2_000;
const LONGEST_KEPT = 64;

/** Whether a member of this name would hold a secret. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const letters = name.toLowerCase().replace(/[^a-z0-9]+/g, '');
  const secret = SECRET_NAME.test(letters) && !OPEN_SEED_NAME.test(letters);
  if (judged.size >= NAMES_KEPT) judged.clear();
  if (name.length <= LONGEST_KEPT) judged.set(name, secret);
  return secret;
}

/**
 * Whether a member of this name would hold a key if its value has the bytes of one: `sk`, `d`, whatever ends in "key" and
 * is not said to be public.
 */
export function isKeyName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  // `walletSkHex` is one, `riskHex` is none.
  while (words.length > 1 && words.at(-1)?.replace(ENCODING, '') === '') words.pop();
  const joined = words.join('').replace(ENCODING, '');
  if (joined === 'd' || joined === 'sk' || words.at(-1) === 'sk') return true;
  return /keys?$/.test(joined) && !OPEN_KEY.test(joined);
}

/** Whether the whole text is the bytes of a key; a hash looks the same, so the name has to say that it is one. */
export function hasKeyBytes(text: string): boolean {
  if (text.length < 43 || text.length > 130) return false;
  return KEY_HEX.test(text) || (KEY_BASE64.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text));
}

/** Whether the text holds a private key in one of the forms in which keys are kept; time grows with its length alone. */
export function holdsPrivateKey(text: string): boolean {
  // Every form is as long as this, or longer.
  if (text.length < 13) return false;
  return (
    PRIVATE_PEM.test(text) ||
    PKCS8_BASE64.test(text) ||
    PKCS8_HEX.test(text) ||
    PEM_BASE64.test(text) ||
    OTHER_KEYS.test(text) ||
    KEYS_ELSEWHERE.test(text) ||
    tellsSecret(text) ||
    holdsJwk(text) ||
    (JWK_BASE64.test(text) &&
      matchesOf(text, BASE64_RUN).some(([run]) => holdsJwk(decoded(run)))) ||
    matchesOf(text, BYTE_LIST).some(([, list = '']) => areKeyBytes(list.split(',').map(Number))) ||
    matchesOf(text, ASSIGNED).some(([, name = '', value = '']) => isAssigned(name, value)) ||
    holdsMnemonic(text)
  );
}

/** Hardly a text has any, and every text of every intent is asked: `matchAll` makes a pattern of its own before it looks. */
const matchesOf = (text: string, pattern: RegExp): RegExpExecArray[] =>
  text.search(pattern) < 0 ? [] : [...text.matchAll(pattern)];

const holdsJwk = (text: string): boolean => JWK_TYPE.test(text) && JWK_SECRET.test(text);

function decoded(base64: string): string {
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  return atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
}

function tellsSecret(text: string): boolean {
  for (const { 0: told, index } of matchesOf(text, TOLD_SECRET)) {
    // It may begin with what is no letter, and before that says whose seed it is.
    const isHash = SEED_IS_HASH.test(told);
    const before = text.slice(Math.max(0, index - BEFORE), index);
    if (!isHash || !(OPEN_SEED.test(before) || DRAW_MEMBER.test(text))) return true;
  }
  return false;
}

/** Whether a member is named like a secret and has a value that no one writes by hand; seeds have a rule of their own. */
function isAssigned(name: string, value: string): boolean {
  return (
    isSecretName(name) && !/seed$/i.test(name) && /[0-9]/.test(value) && /[A-Za-z]/.test(value)
  );
}

/**
 * Whether numbers are as those of 32 or 64 bytes of chance: hardly any twice, and a quarter of them or more beyond what scores, letters
 * and percentages reach. A hash as such a list looks the same and is refused, too: the network writes them in hex.
 */
function areKeyBytes(list: readonly unknown[]): boolean {
  if (list.length !== 32 && list.length !== 64) return false;
  const isByte = (each: unknown): boolean =>
    typeof each === 'number' && Number.isInteger(each) && each >= 0 && each <= 255;
  if (!list.every(isByte)) return false;
  const large = list.filter((each) => Number(each) > 127).length;
  return new Set(list).size >= (list.length * 3) / 4 && large >= list.length / 4;
}

/**
 * Where a JSON value gives a secret away, as a JSON Pointer that says nothing of the secret, or null. A name that is
 * itself a key is named by the place of its object.
 */
export function keyMaterialPath(value: JsonValue): string | null {
  const path = search(value);
  return path && jsonPointer(path);
}

type Path = (string | number)[];

/** The path is put together on the way back: hardly ever is there one. */
function search(value: JsonValue): Path | null {
  if (typeof value === 'string') return holdsPrivateKey(value) ? [] : null;
  if (value === null || typeof value !== 'object') return null;
  if (Array.isArray(value)) {
    if (areKeyBytes(value)) return [];
    if (value.length >= 12 && holdsMnemonic(value.filter(isShortText).join(' '))) return [];
    for (let index = 0; index < value.length; index++) {
      const path = search(value[index] ?? null);
      if (path) return [index, ...path];
    }
    return null;
  }
  if (typeof value['kty'] === 'string') {
    for (const half of ['d', 'k']) if (typeof value[half] === 'string') return [half];
  }
  for (const name of Object.keys(value)) {
    if (holdsPrivateKey(name)) return [];
    const member = value[name] ?? null;
    if (isSecretName(name) && !isSeedOfDraw(name, value)) return [name];
    if (typeof member === 'string' && hasKeyBytes(member) && isKeyName(name)) return [name];
    const path = search(member);
    if (path) return [name, ...path];
  }
  return null;
}

/** A word of a list of them. */
const isShortText = (item: JsonValue): item is string =>
  typeof item === 'string' && item.length <= 16;

/** Whether it is the seed that drew a committee, as the network shows it: a hash, beside those who were drawn. */
const isSeedOfDraw = (name: string, value: { readonly [name: string]: JsonValue }): boolean =>
  name === 'seed' &&
  HASH.test(typeof value['seed'] === 'string' ? value['seed'] : '') &&
  (Array.isArray(value['verifierIds']) || Array.isArray(value['committee']));
