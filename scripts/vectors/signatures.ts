import { bytesToBase64 as base64, bytesToHex, utf8Bytes } from '@netd/protocol';
import { testKey, craftedSignatures } from '@netd/protocol/testing';
import { nextLetter } from './base64.ts';

export function signatures(): unknown {
  const rfc8032 = [
    {
      name: 'RFC 8032 TEST 1',
      publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      message: '',
      signature:
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    },
    {
      name: 'RFC 8032 TEST 2',
      publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      message: '72',
      signature:
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    },
    {
      name: 'RFC 8032 TEST 3',
      publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      message: 'af82',
      signature:
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    },
    {
      name: 'RFC 8032 TEST SHA(abc)',
      publicKey: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
      message:
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      signature:
        'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
    },
  ].map((vector) => ({ ...vector, valid: true, note: '' }));
  const signature = base64(testKey('alice').signBytes(utf8Bytes('net')));
  return {
    about:
      'verify: hex throughout; the whole strict rule, the key included (canonical and torsion-free key; R canonical and not of small order; S < L; cofactorless equation). base64: which texts are a signature at all.',
    verify: [
      ...rfc8032,
      ...craftedSignatures().map((crafted) => ({
        name: crafted.name,
        publicKey: bytesToHex(crafted.publicKey),
        message: bytesToHex(crafted.message),
        signature: bytesToHex(crafted.signature),
        valid: crafted.valid,
        note: crafted.note,
      })),
    ],
    base64: [
      ['standard', signature, true],
      ['without padding', signature.slice(0, 86), false],
      ['one padding character', signature.slice(0, 87), false],
      ['three padding characters', `${signature}=`, false],
      ['stray bits', `${signature.slice(0, 85)}${nextLetter(signature[85])}==`, false],
      ['base64url', `-_${signature.slice(2)}`, false],
      ['space before', ` ${signature}`, false],
      ['line break at the end', `${signature}\n`, false],
      ['line break in the middle', `${signature.slice(0, 44)}\n${signature.slice(44)}`, false],
      ['63 bytes', base64(new Uint8Array(63)), false],
      ['65 bytes', base64(new Uint8Array(65)), false],
      ['empty', '', false],
      ['hex', bytesToHex(new Uint8Array(64)), false],
    ].map(([name, text, valid]) => ({ name, text, valid })),
  };
}
