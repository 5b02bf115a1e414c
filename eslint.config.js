import tseslint from "typescript-eslint";

const importRules = [
  {
    name: "@pulumi/azure-native",
    message:
      "The root loads every Azure module. Import one module, such as @pulumi/azure-native/kubernetes/index.js.",
  },
];

/** Rooms that know nothing of Pulumi: each is tested with plain values. */
const plainRooms = [
  "values",
  "disk",
  "fleet",
  "flux",
  "git",
  "checks",
  "build",
  "judge",
  "status",
  "stages",
  "history",
  "release",
  "apply",
  "install",
  "impact",
  "existing",
  "authoring",
  "review",
  "deployments",
  "doctor",
  "import",
  "page",
  "adopt",
  "pack",
  "secrets",
  "cli",
];

/** Everything that ships. Nothing of it may know of the lab. */
const shipped = ["index.ts", "fanout", "program", "provider", "components", "policy", ...plainRooms];

const noLab = { group: ["**/lab/**"], message: "Nothing that ships imports the lab." };
const noPulumi = { group: ["@pulumi/*"], message: `${plainRooms.join("/, ")}/ know nothing of Pulumi.` };
const gitByItsDoor = {
  regex: "(^|/)git/(?!index\\.ts$)",
  message: "Import git/index.ts: what others may use of git/ is there.",
};
const noGit = { regex: "(^|/)git/", message: "This room knows nothing of git/." };
const noFleet = { regex: "(^|/)fleet/", message: "This room knows nothing of fleet/." };
const alone = (room) => ({
  regex: "^\\.\\./(?!\\.\\./)",
  message: `${room}/ stands below every other room and imports none of them.`,
});

/** What a room of those that ship may not import. */
function walls(room) {
  const plain = plainRooms.includes(room) ? [noPulumi] : [];
  if (room === "values" || room === "disk") return [noLab, ...plain, alone(room)];
  if (room === "git") return [noLab, ...plain, noFleet];
  if (room === "fleet" || room === "flux") return [noLab, ...plain, noGit];
  return [noLab, ...plain, gitByItsDoor];
}

export default tseslint.config(
  { ignores: ["node_modules/", ".lab/", "coverage/", "dist/", "templates/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // An Output in a template string becomes a sentence of warning text. Anything that is not text or a number is refused.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-base-to-string": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-imports": ["error", { paths: importRules }],
    },
  },
  ...shipped.map((room) => ({
    files: [room.endsWith(".ts") ? room : `${room}/**`],
    rules: { "no-restricted-imports": ["error", { paths: importRules, patterns: walls(room) }] },
  })),
);
