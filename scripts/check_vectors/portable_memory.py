"""NET-PORTABLE-MEMORY/1."""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from netsdk.formats import MemoryFacts, open_memory, read_manifest
from netsdk.formats.portable_memory import CHUNK_BYTES as CHUNK
from netsdk.protocol.canonical_json import canonical_bytes
from netsdk.protocol.hashes import sha256

from .documents import code_of
from .report import expect


def place(facts, index):
    return canonical_bytes({"agentId": facts["agentId"], "generation": facts["generation"], "index": index})


def open_text(text, checkpoint, key, blobs):
    facts = MemoryFacts(*(checkpoint[name] for name in ("agentId", "generation", "parentCheckpointHash")))
    manifest = read_manifest(text.encode(), facts, checkpoint["bundleHash"])
    return open_memory(manifest, key, blobs.get)


def portable_memory(topic):
    plaintext = (topic["plaintext"]["repeat"] * topic["plaintext"]["times"]).encode()
    cipher = AESGCM(bytes.fromhex(topic["contentKey"]))
    facts = topic["valid"][0]["checkpoint"]
    chunks = []
    for index, hex_iv in enumerate(topic["ivs"]):
        iv, part = bytes.fromhex(hex_iv), plaintext[index * CHUNK : (index + 1) * CHUNK]
        chunks.append(iv + cipher.encrypt(iv, part, place(facts, index)))
    names = [sha256(chunk).hex() for chunk in chunks]
    whole = dict(zip(names, chunks))
    for case in topic["valid"]:
        for opener in case["opens"]:
            opened = open_text(case["manifest"], case["checkpoint"], topic["keys"][opener], whole)
            expect(opened == plaintext, True, case["name"])
    changes = {
        "missing": lambda data: None,
        "flipped": lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:],
        "cut": lambda data: data[:-1],
        "swapped": lambda data: chunks[0],
    }
    for case in topic["invalid"]:
        blobs = dict(whole)
        if change := case.get("chunk"):
            name = names[change["index"]]
            blobs[name] = changes[change["change"]](blobs[name])
        code = code_of(open_text, case["manifest"], case["checkpoint"], topic["keys"][case["key"]], blobs)
        expect(code, case["code"], case["name"])
