declare module 'sodium-native' {
  const sodium: {
    /** @throws AssertionError if the signature has fewer than 64 bytes, or the key fewer than 32 */
    crypto_sign_verify_detached: (
      signature: Uint8Array,
      message: Uint8Array,
      publicKey: Uint8Array,
    ) => boolean;
    crypto_core_ed25519_is_valid_point: (point: Uint8Array) => boolean;
  };
  export default sodium;
}
