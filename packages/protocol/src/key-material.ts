/**
 * Keeps secrets from being published by accident, because a chain stores and shows everything forever.
 * Rejects members named like secrets, key bytes under a name that says key, and private keys in any text.
 * Part of the protocol: every node must refuse the same.
 */
import { holdsMnemonic } from './bip39.ts';
import type { JsonValue } from './canonical-json.ts';
import { isHash } from './hash.ts';
import { jsonPointer } from './strict-json.ts';

/**
 * Names that end like a secret, perhaps with an encoding, in lower-case letters and digits.
 * `agent_private_key` and `walletSeedHex` match, `seedHash` and `publicKey` don't.
 */
const SECRET_NAME =
  /(?:priv(?:ate)?key|secret(?:key)?|seed(?:phrase|words?)?|mnemonic(?:phrase|words?)?|recovery(?:phrase|words?)|pass(?:word|wd|phrase|code)|apikey|accesskey|credential|(?:access|api|auth|bearer|refresh)token)s?(?:pem|der|jwk|pkcs8|hex|b64|base64|raw|bytes|text|string|value)?$/;

const PRIVATE_PEM = /-- ?BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY/i;

/** The start of PKCS #8 (RFC 5958) in base64: Ed25519 and X25519, EC, RSA. */
const PKCS8_BASE64 = /AQ[AE]wBQYDK2V[uw]BCIE|AgEAMB[AM]GByqGSM49AgEG|IBADANBgkqhkiG9w0BAQ[EF]/;
const PKCS8_HEX = /02010[01]300506032b65(?:6e|70)04220420/i;

/** A JWK (RFC 7517) in text, also quoted or as Python prints it: a key type and a secret member. */
const JWK_TYPE = /["']kty\\*["'][ \t\r\n]*:/;
const JWK_SECRET = /["'][dk]\\*["'][ \t\r\n]*:[ \t\r\n]*\\*["'][A-Za-z0-9_-]{16,}/;

/** ` PRIVATE KEY` in base64, at each of the three alignments. */
const PEM_BASE64 = /IFBSSVZBVEUgS0VZ|BQUklWQVRFIEtF|gUFJJVkFURSBL/;

/** An age identity, and an OpenSSH private key without its header. */
const OTHER_KEYS = /AGE-SECRET-KEY-[A-Z0-9-]{20}|b3BlbnNzaC1rZXktdjEA/i;

/** Wallets (BIP 32), Nostr (NIP 19), and tokens of services that agents use. */
const KEYS_ELSEWHERE =
  /(?:^|[^A-Za-z0-9])(?:[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{100}|nsec1[02-9ac-hj-np-z]{58}|gh[oprsu]_[A-Za-z0-9]{36}|[rs]k_live_[A-Za-z0-9]{24}|github_pat_[A-Za-z0-9_]{60}|sk-[A-Za-z0-9_-]{40}|AIza[A-Za-z0-9_-]{35}|xox[abeprs]-[A-Za-z0-9-]{24})/;

/** Labelled secrets: `seed: 9d61…`, `"sk": "nWGx…"`, `secret key (hex) = 9d61…`, `private key 9d61…`. */
const TOLD_SECRET =
  /(?:(?:seed|secret(?:[ _-]?key)?|priv(?:ate)?[ _-]?key|signing[ _-]?key|(?:^|[^A-Za-z])sk)(?:[ _-]?(?:hex|b64|base64|raw|bytes))?["'`\\]{0,4}[ \t\r\n]{0,4}(?:\([A-Za-z0-9 ,_-]{1,24}\)[ \t\r\n]{0,4})?(?:=>|->|[:=]|is:?)|(?:secret|priv(?:ate)?)[ _-]?key)[ \t\r\n]{0,4}["'`\\]{0,4}(?:0x)?(?:[0-9a-f]{128}|[0-9a-f]{64}|[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{43}=?)(?![A-Za-z0-9+/_=-])/gi;

/** Exceptions for the seed of a draw, a public hash. Its label or its neighbors show this. */
const OPEN_SEED = /(?:committee|draw|drawn|sampling|lottery|public|beacon|vrf)(?:'s)?[ _-]?$/i;
const OPEN_SEED_NAME = /(?:committee|draw|drawn|sampling|lottery|public|beacon|vrf)seed(?:hex)?$/;
const DRAW_MEMBER = /["'](?:verifierIds|committee)\\*["'][ \t\r\n]*:/;
const SEED_IS_HASH = /^seed["'`\\ \t\r\n:=]{1,12}[0-9a-f]{64}$/;

const BEFORE = 16;

/** Base64 of `"kty"` at each of the three alignments, and runs that may be a JWK in base64. */
const JWK_BASE64 = /Imt0eS|JrdHki|ia3R5I/;
const BASE64_RUN = /[A-Za-z0-9+/_-]{40,}/g;

/** Lists of 32 or 64 byte values, and lines of YAML, .env or TOML. */
const BYTE_LIST =
  /\[[ \t\r\n]*((?:[0-9]{1,3}[ \t\r\n]{0,4},[ \t\r\n]{0,8}){31}(?:(?:[0-9]{1,3}[ \t\r\n]{0,4},[ \t\r\n]{0,8}){32})?[0-9]{1,3})[ \t\r\n]*,?[ \t\r\n]*\]/g;
const ASSIGNED =
  /(?:^|[\r\n{,])[ \t]{0,16}(?:- |export )?["']?([A-Za-z][A-Za-z0-9_.-]{0,40})["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([A-Za-z0-9+/_=]{20,})["']?[ \t]{0,4}(?:#[^\r\n]*)?(?=$|[\r\n,}])/g;

const KEY_HEX = /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i;
const KEY_BASE64 = /^(?:[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{86}(?:==)?)$/;

const ENCODING = /(?:hex|b64|base64|base64url|raw|bytes|text|string|value)$/;
const OPEN_KEY =
  /pub|verif|idempot|dedup|cache|sort|partition|primary|foreign|lookup|index|routing|storage|object|state|group/;

/** Cache of judged names, since most are those of the schemas. */
const judged = new Map<string, boolean>();
const NAMES_KEPT = 2_000;
const LONGEST_KEPT = 64;

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
 * True for `sk`, `d`, and names that end in "key" without saying public. Only the value shows if it is a key.
 */
export function isKeyName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  // `walletSkHex` is a key name, `riskHex` is not.
  while (words.length > 1 && words.at(-1)?.replace(ENCODING, '') === '') words.pop();
  const joined = words.join('').replace(ENCODING, '');
  if (joined === 'd' || joined === 'sk' || words.at(-1) === 'sk') return true;
  return /keys?$/.test(joined) && !OPEN_KEY.test(joined);
}

/** True for hashes too, so the name must say that the text is a key. */
export function hasKeyBytes(text: string): boolean {
  if (text.length < 43 || text.length > 130) return false;
  return KEY_HEX.test(text) || (KEY_BASE64.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text));
}

export function holdsPrivateKey(text: string): boolean {
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

/** Calls `search` first, because `matchAll` compiles a pattern and matches are rare. */
const matchesOf = (text: string, pattern: RegExp): RegExpExecArray[] =>
  text.search(pattern) < 0 ? [] : [...text.matchAll(pattern)];

const holdsJwk = (text: string): boolean => JWK_TYPE.test(text) && JWK_SECRET.test(text);

function decoded(base64: string): string {
  const whole = base64.slice(0, base64.length - (base64.length % 4));
  return atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
}

function tellsSecret(text: string): boolean {
  for (const { 0: told, index } of matchesOf(text, TOLD_SECRET)) {
    // The text before the label may say that it is a public seed.
    const isSeedHash = SEED_IS_HASH.test(told);
    const before = text.slice(Math.max(0, index - BEFORE), index);
    if (!isSeedHash || !(OPEN_SEED.test(before) || DRAW_MEMBER.test(text))) return true;
  }
  return false;
}

function isAssigned(name: string, value: string): boolean {
  return (
    isSecretName(name) && !/seed$/i.test(name) && /[0-9]/.test(value) && /[A-Za-z]/.test(value)
  );
}

/**
 * True for 32 or 64 bytes that look random: few repeats, and at least a quarter above 127. Rejects hashes
 * too; the network writes them in hex.
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
 * Returns a JSON Pointer to the secret without revealing it, or null. If a name is itself a key, the pointer
 * names its object.
 */
export function keyMaterialPath(value: JsonValue): string | null {
  const path = search(value);
  return path && jsonPointer(path);
}

type Path = (string | number)[];

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

const isShortText = (item: JsonValue): item is string =>
  typeof item === 'string' && item.length <= 16;

/** True for the public seed of a committee: a hash beside its members. */
const isSeedOfDraw = (name: string, value: { readonly [name: string]: JsonValue }): boolean =>
  name === 'seed' &&
  isHash(value['seed']) &&
  (Array.isArray(value['verifierIds']) || Array.isArray(value['committee']));
