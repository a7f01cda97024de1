/*
 * Tells where the fields of the structures lie that Layouts.java has: one line for each, "LAYOUT field offset", and
 * "LAYOUT size bytes". Its output on a machine is layouts.txt in src/test/resources:
 *
 *     cc -o probe probe.c && ./probe > ../resources/layouts.txt        (Debian: libibverbs-dev librdmacm-dev)
 */
#include <poll.h>
#include <stddef.h>
#include <stdio.h>

#include <netinet/in.h>
#include <rdma/rdma_cma.h>

#define FIELD(layout, type, ours, theirs) printf(#layout " " #ours " %zu\n", offsetof(struct type, theirs))
#define SIZE(layout, type) printf(#layout " size %zu\n", sizeof(struct type))

int main(void)
{
	FIELD(SGE, ibv_sge, addr, addr);
	FIELD(SGE, ibv_sge, length, length);
	FIELD(SGE, ibv_sge, lkey, lkey);
	SIZE(SGE, ibv_sge);
	FIELD(SEND_WR, ibv_send_wr, wr_id, wr_id);
	FIELD(SEND_WR, ibv_send_wr, next, next);
	FIELD(SEND_WR, ibv_send_wr, sg_list, sg_list);
	FIELD(SEND_WR, ibv_send_wr, num_sge, num_sge);
	FIELD(SEND_WR, ibv_send_wr, opcode, opcode);
	FIELD(SEND_WR, ibv_send_wr, send_flags, send_flags);
	FIELD(SEND_WR, ibv_send_wr, imm_data, imm_data);
	FIELD(SEND_WR, ibv_send_wr, remote_addr, wr.atomic.remote_addr);
	FIELD(SEND_WR, ibv_send_wr, compare_add, wr.atomic.compare_add);
	FIELD(SEND_WR, ibv_send_wr, swap, wr.atomic.swap);
	FIELD(SEND_WR, ibv_send_wr, rkey, wr.atomic.rkey);
	SIZE(SEND_WR, ibv_send_wr);
	FIELD(RECV_WR, ibv_recv_wr, wr_id, wr_id);
	FIELD(RECV_WR, ibv_recv_wr, next, next);
	FIELD(RECV_WR, ibv_recv_wr, sg_list, sg_list);
	FIELD(RECV_WR, ibv_recv_wr, num_sge, num_sge);
	SIZE(RECV_WR, ibv_recv_wr);
	FIELD(WC, ibv_wc, wr_id, wr_id);
	FIELD(WC, ibv_wc, status, status);
	FIELD(WC, ibv_wc, opcode, opcode);
	FIELD(WC, ibv_wc, vendor_err, vendor_err);
	FIELD(WC, ibv_wc, byte_len, byte_len);
	FIELD(WC, ibv_wc, imm_data, imm_data);
	FIELD(WC, ibv_wc, qp_num, qp_num);
	FIELD(WC, ibv_wc, src_qp, src_qp);
	FIELD(WC, ibv_wc, wc_flags, wc_flags);
	FIELD(WC, ibv_wc, pkey_index, pkey_index);
	FIELD(WC, ibv_wc, slid, slid);
	FIELD(WC, ibv_wc, sl, sl);
	FIELD(WC, ibv_wc, dlid_path_bits, dlid_path_bits);
	SIZE(WC, ibv_wc);
	FIELD(PD, ibv_pd, context, context);
	FIELD(PD, ibv_pd, handle, handle);
	SIZE(PD, ibv_pd);
	FIELD(MR, ibv_mr, context, context);
	FIELD(MR, ibv_mr, pd, pd);
	FIELD(MR, ibv_mr, addr, addr);
	FIELD(MR, ibv_mr, length, length);
	FIELD(MR, ibv_mr, handle, handle);
	FIELD(MR, ibv_mr, lkey, lkey);
	FIELD(MR, ibv_mr, rkey, rkey);
	SIZE(MR, ibv_mr);
	FIELD(COMP_CHANNEL, ibv_comp_channel, context, context);
	FIELD(COMP_CHANNEL, ibv_comp_channel, fd, fd);
	FIELD(COMP_CHANNEL, ibv_comp_channel, refcnt, refcnt);
	SIZE(COMP_CHANNEL, ibv_comp_channel);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, qp_context, qp_context);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, send_cq, send_cq);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, recv_cq, recv_cq);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, srq, srq);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, max_send_wr, cap.max_send_wr);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, max_recv_wr, cap.max_recv_wr);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, max_send_sge, cap.max_send_sge);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, max_recv_sge, cap.max_recv_sge);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, max_inline_data, cap.max_inline_data);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, qp_type, qp_type);
	FIELD(QP_INIT_ATTR, ibv_qp_init_attr, sq_sig_all, sq_sig_all);
	SIZE(QP_INIT_ATTR, ibv_qp_init_attr);
	FIELD(DEVICE_ATTR, ibv_device_attr, fw_ver, fw_ver);
	FIELD(DEVICE_ATTR, ibv_device_attr, node_guid, node_guid);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_mr_size, max_mr_size);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_qp, max_qp);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_qp_wr, max_qp_wr);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_sge, max_sge);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_sge_rd, max_sge_rd);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_cq, max_cq);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_cqe, max_cqe);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_mr, max_mr);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_qp_rd_atom, max_qp_rd_atom);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_qp_init_rd_atom, max_qp_init_rd_atom);
	FIELD(DEVICE_ATTR, ibv_device_attr, atomic_cap, atomic_cap);
	FIELD(DEVICE_ATTR, ibv_device_attr, max_pkeys, max_pkeys);
	FIELD(DEVICE_ATTR, ibv_device_attr, phys_port_cnt, phys_port_cnt);
	SIZE(DEVICE_ATTR, ibv_device_attr);
	FIELD(PORT_ATTR, ibv_port_attr, state, state);
	FIELD(PORT_ATTR, ibv_port_attr, max_mtu, max_mtu);
	FIELD(PORT_ATTR, ibv_port_attr, active_mtu, active_mtu);
	FIELD(PORT_ATTR, ibv_port_attr, gid_tbl_len, gid_tbl_len);
	FIELD(PORT_ATTR, ibv_port_attr, pkey_tbl_len, pkey_tbl_len);
	FIELD(PORT_ATTR, ibv_port_attr, lid, lid);
	FIELD(PORT_ATTR, ibv_port_attr, link_layer, link_layer);
	SIZE(PORT_ATTR, ibv_port_attr);
	FIELD(ASYNC_EVENT, ibv_async_event, element, element);
	FIELD(ASYNC_EVENT, ibv_async_event, event_type, event_type);
	SIZE(ASYNC_EVENT, ibv_async_event);
	FIELD(EVENT_CHANNEL, rdma_event_channel, fd, fd);
	SIZE(EVENT_CHANNEL, rdma_event_channel);
	FIELD(CONN_PARAM, rdma_conn_param, private_data, private_data);
	FIELD(CONN_PARAM, rdma_conn_param, private_data_len, private_data_len);
	FIELD(CONN_PARAM, rdma_conn_param, responder_resources, responder_resources);
	FIELD(CONN_PARAM, rdma_conn_param, initiator_depth, initiator_depth);
	FIELD(CONN_PARAM, rdma_conn_param, flow_control, flow_control);
	FIELD(CONN_PARAM, rdma_conn_param, retry_count, retry_count);
	FIELD(CONN_PARAM, rdma_conn_param, rnr_retry_count, rnr_retry_count);
	FIELD(CONN_PARAM, rdma_conn_param, srq, srq);
	FIELD(CONN_PARAM, rdma_conn_param, qp_num, qp_num);
	SIZE(CONN_PARAM, rdma_conn_param);
	FIELD(POLLFD, pollfd, fd, fd);
	FIELD(POLLFD, pollfd, events, events);
	FIELD(POLLFD, pollfd, revents, revents);
	SIZE(POLLFD, pollfd);
	FIELD(DEVICE, ibv_device, node_type, node_type);
	FIELD(DEVICE, ibv_device, transport_type, transport_type);
	FIELD(CONTEXT, ibv_context, device, device);
	FIELD(CONTEXT, ibv_context, poll_cq, ops.poll_cq);
	FIELD(CONTEXT, ibv_context, req_notify_cq, ops.req_notify_cq);
	FIELD(CONTEXT, ibv_context, post_send, ops.post_send);
	FIELD(CONTEXT, ibv_context, post_recv, ops.post_recv);
	FIELD(CONTEXT, ibv_context, cmd_fd, cmd_fd);
	FIELD(CONTEXT, ibv_context, async_fd, async_fd);
	FIELD(CONTEXT, ibv_context, num_comp_vectors, num_comp_vectors);
	FIELD(CQ, ibv_cq, context, context);
	FIELD(CQ, ibv_cq, channel, channel);
	FIELD(CQ, ibv_cq, cq_context, cq_context);
	FIELD(CQ, ibv_cq, handle, handle);
	FIELD(CQ, ibv_cq, cqe, cqe);
	FIELD(QP, ibv_qp, context, context);
	FIELD(QP, ibv_qp, qp_context, qp_context);
	FIELD(QP, ibv_qp, pd, pd);
	FIELD(QP, ibv_qp, send_cq, send_cq);
	FIELD(QP, ibv_qp, recv_cq, recv_cq);
	FIELD(QP, ibv_qp, srq, srq);
	FIELD(QP, ibv_qp, handle, handle);
	FIELD(QP, ibv_qp, qp_num, qp_num);
	FIELD(QP, ibv_qp, state, state);
	FIELD(QP, ibv_qp, qp_type, qp_type);
	FIELD(CM_ID, rdma_cm_id, verbs, verbs);
	FIELD(CM_ID, rdma_cm_id, channel, channel);
	FIELD(CM_ID, rdma_cm_id, context, context);
	FIELD(CM_ID, rdma_cm_id, qp, qp);
	FIELD(CM_ID, rdma_cm_id, src_addr, route.addr.src_storage);
	FIELD(CM_ID, rdma_cm_id, dst_addr, route.addr.dst_storage);
	FIELD(CM_ID, rdma_cm_id, ps, ps);
	FIELD(CM_ID, rdma_cm_id, port_num, port_num);
	FIELD(CM_EVENT, rdma_cm_event, id, id);
	FIELD(CM_EVENT, rdma_cm_event, listen_id, listen_id);
	FIELD(CM_EVENT, rdma_cm_event, event, event);
	FIELD(CM_EVENT, rdma_cm_event, status, status);
	FIELD(CM_EVENT, rdma_cm_event, conn, param.conn);
	return 0;
}
