import { createHash, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { Json } from "../azure/json.ts";
import type { CheckFailure, StandIn } from "./standIn.ts";
import { isUnknown, unknownValue } from "./values.ts";

const privateKeyType = "tls:index/privateKey:PrivateKey";
const secretOutputs = ["privateKeyPem", "privateKeyPemPkcs8"].map((key) => [key]);
const computed = [
  ...["privateKeyPem", "privateKeyPemPkcs8", "publicKeyPem", "publicKeyOpenssh"],
  ...["publicKeyFingerprintMd5", "publicKeyFingerprintSha256"],
];

const generate = promisify(generateKeyPair);

/** The tls provider as far as the lab needs it: RSA keys, made anew by node:crypto. `privateKeyOpenssh` is left out. */
export function tlsStandIn(): StandIn {
  return {
    package: "tls",
    version: "5.6.1",
    faultNames: () => [],

    check: (call, inputs) => ({
      inputs,
      failures: call.type === privateKeyType ? keyFaults(inputs) : [unknownType(call.type)],
    }),

    // A key is never changed: every other input means another key.
    replacement: (_call, _before, _after, changed) => ({ keys: [...changed], deleteFirst: false }),

    previewCreate: (_call, inputs) => ({
      rsaBits: 2048,
      ...inputs,
      ...Object.fromEntries(computed.map((key) => [key, unknownValue])),
    }),

    async create(_call, inputs) {
      const rsaBits = typeof inputs["rsaBits"] === "number" ? inputs["rsaBits"] : 2048;
      const outputs = await makeKey(rsaBits);
      const id = createHash("sha1").update(outputs.publicKeyPem).digest("hex");
      return { id, outputs: { ...inputs, rsaBits, ...outputs }, secretOutputs };
    },

    previewUpdate: (_call, inputs, outputs) => ({ ...outputs, ...inputs }),
    update: (_call, id, _inputs, _secrets, outputs) => ({ id, outputs, secretOutputs }),
    read: (_call, id, inputs, outputs) =>
      // The key exists only in the state; one that is not there cannot be read back.
      Object.keys(outputs).length === 0 ? undefined : { id, outputs, inputs, secretOutputs },
    delete: () => undefined,
    invoke: (token) => {
      throw new Error(`The lab has no function ${token}.`);
    },
  };
}

function keyFaults(inputs: Json): CheckFailure[] {
  const { algorithm, rsaBits } = inputs;
  const failures: CheckFailure[] = [];
  if (algorithm === undefined)
    failures.push({ property: "algorithm", reason: "missing required property 'algorithm'" });
  else if (algorithm !== "RSA" && !isUnknown(algorithm)) {
    failures.push({
      property: "algorithm",
      reason: `${JSON.stringify(algorithm)} keys are not in the lab; RSA is.`,
    });
  }
  const isSize =
    typeof rsaBits === "number" && Number.isInteger(rsaBits) && rsaBits >= 1024 && rsaBits <= 16_384;
  if (rsaBits !== undefined && rsaBits !== null && !isUnknown(rsaBits) && !isSize) {
    failures.push({
      property: "rsaBits",
      reason: `${JSON.stringify(rsaBits)} is not a key size from 1024 to 16384.`,
    });
  }
  return failures;
}

function unknownType(type: string): CheckFailure {
  return { property: "", reason: `${type} is not in the lab; ${privateKeyType} is.` };
}

async function makeKey(modulusLength: number) {
  const { publicKey, privateKey } = await generate("rsa", { modulusLength });
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const blob = Buffer.concat([sshText("ssh-rsa"), sshInteger(e), sshInteger(n)]);
  const md5 = createHash("md5").update(blob).digest("hex");
  return {
    privateKeyPem: privateKey.export({ type: "pkcs1", format: "pem" }) as string,
    privateKeyPemPkcs8: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }) as string,
    publicKeyOpenssh: `ssh-rsa ${blob.toString("base64")}\n`,
    publicKeyFingerprintMd5: (md5.match(/../g) ?? []).join(":"),
    publicKeyFingerprintSha256: `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`,
  };
}

function sshText(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A positive integer of the SSH wire format: a leading zero byte where the first bit is set. */
function sshInteger(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, "base64url");
  return sshText((bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}
