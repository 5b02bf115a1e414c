@echo off
rem Started by the Pulumi engine on Windows.
node "%~dp0main.ts" %*
