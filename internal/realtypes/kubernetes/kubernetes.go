// Package kubernetes declares capabilities over the API types of Kubernetes.
//
//capgen:namespace real.kubernetes
//capgen:schema type=k8s.io/apimachinery/pkg/api/resource.Quantity file=quantity.schema.json
//capgen:schema type=k8s.io/apimachinery/pkg/util/intstr.IntOrString file=intorstring.schema.json
//capgen:schema type=k8s.io/apimachinery/pkg/apis/meta/v1.Time file=time.schema.json
//capgen:schema type=k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime file=time.schema.json
//capgen:schema type=k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1 file=object.schema.json
//capgen:schema type=k8s.io/api/core/v1.ResourceName file=name.schema.json
//capgen:schema type=k8s.io/apimachinery/pkg/runtime.RawExtension file=object.schema.json
package kubernetes

import (
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/capgen/capgen/capabilities"
)

// Deploy applies a deployment and returns it as the server keeps it.
//
//capgen:capability deployment.apply@1 risk=write scopes=deployments
type Deploy struct {
	capabilities.Returns[appsv1.Deployment]

	// Value is the deployment.
	Value appsv1.Deployment `json:"value"`
}

// Expose applies a service and returns it as the server keeps it.
//
//capgen:capability service.apply@1 risk=write scopes=services
type Expose struct {
	capabilities.Returns[corev1.Service]

	// Value is the service.
	Value corev1.Service `json:"value"`
}

// RunPod starts a pod and returns it as the server keeps it.
//
//capgen:capability pod.run@1 risk=write scopes=pods
type RunPod struct {
	capabilities.Returns[corev1.Pod]

	// Value is the pod.
	Value corev1.Pod `json:"value"`
}

// Revise keeps a state of a workload, as a deployment's daemon set or stateful set had it, and returns it.
//
//capgen:capability revision.keep@1 risk=write scopes=revisions
type Revise struct {
	capabilities.Returns[appsv1.ControllerRevision]

	// Value is the revision.
	Value appsv1.ControllerRevision `json:"value"`
}

// Elect takes or renews a lease and returns it.
//
//capgen:capability lease.hold@1 risk=write scopes=leases
type Elect struct {
	capabilities.Returns[coordinationv1.Lease]

	// Value is the lease.
	Value coordinationv1.Lease `json:"value"`
}
