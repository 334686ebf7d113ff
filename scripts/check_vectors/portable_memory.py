"""NET-PORTABLE-MEMORY/1: chunks by cryptography, keys by jwcrypto."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .canonical_json import canonicalize, sha256
from .documents import code_of, read
from .merkle import list_root
from .report import expect, Refused
from .sealed_content import open_sealed

CHUNK = 1024 * 1024
OVERHEAD = 28


def place(facts, index):
    return canonicalize({"agentId": facts["agentId"], "generation": facts["generation"], "index": index}).encode()


def read_manifest(text, checkpoint):
    manifest = read("PortableMemory", text, checkpoint["bundleHash"])
    chunks = manifest["chunks"]
    full = [CHUNK] * (len(chunks) - 1)
    lengths = [length + OVERHEAD for length in full + [manifest["byteLength"] - sum(full)]]
    root = list_root([bytes.fromhex(chunk["hash"]) for chunk in chunks]).hex()
    if [chunk["byteLength"] for chunk in chunks] != lengths or root != manifest["chunksRoot"]:
        raise Refused("MEMORY_MANIFEST_INCONSISTENT")
    if manifest["agentId"] != checkpoint["agentId"]:
        raise Refused("MEMORY_WRONG_AGENT")
    if any(manifest[name] != checkpoint[name] for name in ("generation", "parentCheckpointHash")):
        raise Refused("MEMORY_WRONG_GENERATION")
    return manifest


def open_memory(text, checkpoint, key, blobs):
    manifest = read_manifest(text, checkpoint)
    names = ("agentId", "generation", "parentCheckpointHash", "chunksRoot", "stateRoot")
    cipher = AESGCM(open_sealed(manifest["key"], key, {name: manifest[name] for name in names}))
    plaintext = b""
    for index, chunk in enumerate(manifest["chunks"]):
        data = blobs.get(chunk["hash"])
        if data is None:
            raise Refused("MEMORY_CHUNK_MISSING")
        if len(data) != chunk["byteLength"] or sha256(data).hex() != chunk["hash"]:
            raise Refused("MEMORY_CHUNK_MISMATCH")
        try:
            plaintext += cipher.decrypt(data[:12], data[12:], place(manifest, index))
        except InvalidTag:
            raise Refused("MEMORY_CHUNK_UNREADABLE")
    if sha256(plaintext).hex() != manifest["stateRoot"]:
        raise Refused("MEMORY_STATE_MISMATCH")
    return plaintext


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
            opened = open_memory(case["manifest"], case["checkpoint"], topic["keys"][opener], whole)
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
        code = code_of(open_memory, case["manifest"], case["checkpoint"], topic["keys"][case["key"]], blobs)
        expect(code, case["code"], case["name"])
