// Package deploy tests the stack in the folder deploy: two fronts and PostgreSQL behind a real nginx.
package deploy
