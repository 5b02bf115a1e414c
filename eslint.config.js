import tseslint from "typescript-eslint";

const importRules = [
  {
    name: "@pulumi/azure-native",
    message:
      "The root loads every Azure module. Import one module, such as @pulumi/azure-native/kubernetes/index.js.",
  },
];

/** Folders that know nothing of Pulumi: each is tested with plain values. */
const plainFolders = ["fleet", "flux", "git", "checks", "status", "cli"];

/** Everything that ships. Nothing of it may know of the lab. */
const shipped = [
  "index.ts",
  "program/**",
  "fleet/**",
  "flux/**",
  "git/**",
  "provider/**",
  "components/**",
  "checks/**",
  "status/**",
  "policy/**",
  "cli/**",
];

const noLab = { group: ["**/lab/**"], message: "Nothing that ships imports the lab." };
const noPulumi = {
  group: ["@pulumi/*"],
  message: "fleet/, flux/, git/, checks/, status/ and cli/ know nothing of Pulumi.",
};

export default tseslint.config(
  { ignores: ["node_modules/", ".lab/", "coverage/"] },
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
  {
    files: shipped,
    rules: { "no-restricted-imports": ["error", { paths: importRules, patterns: [noLab] }] },
  },
  {
    files: plainFolders.map((folder) => `${folder}/**`),
    rules: { "no-restricted-imports": ["error", { paths: importRules, patterns: [noLab, noPulumi] }] },
  },
);
