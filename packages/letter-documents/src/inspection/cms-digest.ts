import { createHash } from "node:crypto";
import { ContentInfo, SignedData, type SignerInfo, TSTInfo } from "pkijs";

const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNED_DATA = "1.2.840.113549.1.7.2";

/** Digests that a signature may use, by object identifier. MD5 is excluded because collisions are easy to make. */
const digests: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
  "2.16.840.1.101.3.4.2.8": "sha3-256",
  "2.16.840.1.101.3.4.2.9": "sha3-384",
  "2.16.840.1.101.3.4.2.10": "sha3-512",
};

/**
 * Whether a CMS (RFC 5652) contains the digest of `covered`: as every signer's messageDigest, as the content of an
 * adbe.pkcs7.sha1, or as the imprint of a time stamp (RFC 3161). False for anything unreadable, and for a signature without
 * signed attributes, which has no digest.
 */
export function namesDigest(cms: Uint8Array, subFilter: string, covered: readonly Uint8Array[]): boolean {
  try {
    const contentInfo = ContentInfo.fromBER(cms);
    if (contentInfo.contentType !== SIGNED_DATA) return false;
    const signed = new SignedData({ schema: contentInfo.content });
    const content = signed.encapContentInfo.eContent?.getValue();
    if (subFilter === "ETSI.RFC3161") return content !== undefined && isDigestOf(content, covered);
    if (subFilter === "adbe.pkcs7.sha1") {
      if (content === undefined || !digestOf("sha1", covered).equals(Buffer.from(content))) return false;
      return signed.signerInfos.every(
        (signer) => !signer.signedAttrs || isMessageDigest(signer, [Buffer.from(content)]),
      );
    }
    return signed.signerInfos.length > 0 && signed.signerInfos.every((signer) => isMessageDigest(signer, covered));
  } catch {
    return false;
  }
}

function isMessageDigest(signer: SignerInfo, covered: readonly Uint8Array[]): boolean {
  const algorithm = digests[signer.digestAlgorithm.algorithmId];
  const named = signer.signedAttrs?.attributes.filter(({ type }) => type === MESSAGE_DIGEST) ?? [];
  if (algorithm === undefined || named.length !== 1) return false;
  return digestOf(algorithm, covered).equals(Buffer.from(named[0]?.values[0].getValue()));
}

function isDigestOf(content: ArrayBuffer, covered: readonly Uint8Array[]): boolean {
  const { hashAlgorithm, hashedMessage } = TSTInfo.fromBER(content).messageImprint;
  const algorithm = digests[hashAlgorithm.algorithmId];
  return algorithm !== undefined && digestOf(algorithm, covered).equals(Buffer.from(hashedMessage.getValue()));
}

function digestOf(algorithm: string, pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash(algorithm);
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}
