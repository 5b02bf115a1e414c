import type { Device } from "../fleet/device.ts";

const folder = "/opt/arcflux";
const kubeconfigFile = "/etc/rancher/k3s/k3s.yaml";

/**
 * What the machine does at its first start, for cloud-init: it fetches k3s, and runs it where its checksum is right. Nothing in
 * it is secret.
 */
export function firstStart({ version, sha256 }: Device["k3s"], publicAddress: string): string {
  const url = `https://github.com/k3s-io/k3s/releases/download/${encodeURIComponent(version)}/k3s`;
  const install = lines(
    "#!/bin/sh",
    "set -eu",
    `curl -fsSL --retry 10 --retry-all-errors -o ${folder}/k3s '${url}'`,
    `echo '${sha256}  ${folder}/k3s' | sha256sum --check --strict`,
    `install -m 0755 ${folder}/k3s /usr/local/bin/k3s`,
    "systemctl daemon-reload",
    "systemctl enable --now k3s",
  );
  const unit = lines(
    "[Unit]",
    "Description=k3s",
    "Wants=network-online.target",
    "After=network-online.target",
    "[Service]",
    "Type=notify",
    "KillMode=process",
    "Delegate=yes",
    "LimitNOFILE=1048576",
    "TasksMax=infinity",
    "TimeoutStartSec=0",
    "Restart=always",
    "RestartSec=5s",
    `ExecStart=/usr/local/bin/k3s server --tls-san ${publicAddress} --disable traefik --disable servicelb --write-kubeconfig-mode 0600`,
    "[Install]",
    "WantedBy=multi-user.target",
  );
  // JSON is YAML, and needs no thought about indentation.
  const config = {
    write_files: [
      { path: `${folder}/install-k3s`, permissions: "0700", content: install },
      { path: "/etc/systemd/system/k3s.service", permissions: "0644", content: unit },
    ],
    runcmd: [[`${folder}/install-k3s`]],
  };
  return `#cloud-config\n${JSON.stringify(config)}\n`;
}

/**
 * Waits until k3s answers, and prints its kubeconfig for the public address, encrypted to a public key: Azure keeps the
 * output of a command for whoever may read the machine. Two lines of base64: an AES key under RSA-OAEP, and under that
 * the kubeconfig, packed, since Azure shows 4 KB.
 */
export function kubeconfigScript(name: string, publicAddress: string, publicKeyPem: string): string {
  return lines(
    "set -eu",
    'fail() { echo "$1" >&2; exit 1; }',
    "cloud-init status --wait >/dev/null || true",
    '[ -x /usr/local/bin/k3s ] || fail "k3s was not installed: $(tail -n 3 /var/log/cloud-init-output.log)"',
    "tries=0",
    "until /usr/local/bin/k3s kubectl get --raw /readyz >/dev/null 2>&1; do",
    '  tries=$((tries + 1)); [ "$tries" -lt 60 ] || fail "k3s does not answer after 5 minutes"; sleep 5',
    "done",
    encryption(name, publicAddress, publicKeyPem),
  );
}

function encryption(name: string, publicAddress: string, publicKeyPem: string): string {
  return lines(
    "work=$(mktemp -d); trap 'rm -rf \"$work\"' EXIT",
    'cat > "$work/public.pem" <<END',
    publicKeyPem.trim(),
    "END",
    'openssl rand -hex 32 > "$work/key"; key=$(cat "$work/key")',
    'printf %s "$key" | openssl pkeyutl -encrypt -pubin -inkey "$work/public.pem" -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 | base64 -w 0',
    "echo",
    `sed -e 's/: default$/: ${name}/' -e 's#https://127.0.0.1:6443#https://${publicAddress}:6443#' ${kubeconfigFile} | gzip -9 |`,
    '  openssl enc -aes-256-cbc -K "$key" -iv 00000000000000000000000000000000 | base64 -w 0',
  );
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}
