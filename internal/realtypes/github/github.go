// Package github declares capabilities over the types of GitHub's REST API.
//
//capgen:namespace real.github
package github

import (
	"github.com/google/go-github/v88/github"

	"github.com/capgen/capgen/capabilities"
)

// ReviewRepository takes a repository as the API returns it and returns it.
//
//capgen:capability repository.review@1 risk=read access=public
type ReviewRepository struct {
	capabilities.Returns[*github.Repository]

	// Value is the repository.
	Value *github.Repository `json:"value,omitempty"`
}

// ReviewPull takes a pull request as the API returns it and returns it.
//
//capgen:capability pull.review@1 risk=read access=public
type ReviewPull struct {
	capabilities.Returns[*github.PullRequest]

	// Value is the pull request.
	Value *github.PullRequest `json:"value,omitempty"`
}
