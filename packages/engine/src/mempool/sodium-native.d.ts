declare module 'sodium-native' {
  const sodium: {
    /**
     * @param signature 64 bytes
     * @param publicKey 32 bytes
     * @throws AssertionError if one of them is shorter
     */
    crypto_sign_verify_detached: (
      signature: Uint8Array,
      message: Uint8Array,
      publicKey: Uint8Array,
    ) => boolean;
    /** @throws AssertionError unless the point has 32 bytes */
    crypto_core_ed25519_is_valid_point: (point: Uint8Array) => boolean;
  };
  export default sodium;
}
